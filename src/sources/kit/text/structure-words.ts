import { asString } from '../narrow.ts';
import { markdownLink } from './markdown.ts';

/** Keys under which a card, a panel or a list of replies has words that people see. */
const wordKeys =
  /^(?:title|sub_?title|heading|header|paragraph|text|body|msg|message|description|details|caption|question|label|footer)$/i;
/** Keys of the address to which a button or a title leads. */
const addressKeys = ['url', 'uri', 'link', 'href', 'value'] as const;
const pictureKeys = /^(?:image|media|picture|photo|video|thumbnail|hero_?image)(?:_?ur[il])?$/i;

const depthMax = 20;
const linesMax = 200;

/**
 * The words of a structure in their order, a line each: texts, buttons and choices by their labels, pictures as links.
 *
 * @param keys Further keys of words; `/./` for a structure in which every text is shown, such as the variables of a template.
 */
export function listWords(structure: unknown, keys = wordKeys): readonly string[] {
  const lines: string[] = [];
  addWords(structure, keys, lines, 0);
  return lines.slice(0, linesMax);
}

function addWords(value: unknown, keys: RegExp, lines: string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax || lines.length >= linesMax) return;
  if (Array.isArray(value)) {
    for (const part of value as readonly unknown[]) addWords(part, keys, lines, depth + 1);
    return;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const link = findLink(fields);
  if (link) lines.push(markdownLink(link.address, link.label));
  for (const [key, part] of Object.entries(fields)) {
    const words = typeof part === 'string' ? part.trim() : '';
    if (words === '') addWords(part, keys, lines, depth + 1);
    else if (isAddress(words)) {
      if (pictureKeys.test(key)) lines.push(markdownLink(words, 'image'));
    } else if ((wordKeys.test(key) || keys.test(key)) && words !== link?.label) lines.push(words);
  }
}

/** A button or a title that leads to an address; the address of a button may be one level deeper, in its action. */
function findLink(fields: Readonly<Record<string, unknown>>) {
  const label = [fields.text, fields.label, fields.title].map(asString).find(Boolean)?.trim();
  const action = (typeof fields.action === 'object' ? fields.action : undefined) as typeof fields | null | undefined;
  const addresses = [fields, action ?? {}].flatMap((holder) => addressKeys.map((key) => asString(holder[key])));
  const address = addresses.find((one) => one !== undefined && isAddress(one));
  return label && address !== undefined ? { label, address } : undefined;
}

const isAddress = (text: string): boolean => /^[a-z][a-z\d+.-]{1,20}:\/\/\S+$/i.test(text);
