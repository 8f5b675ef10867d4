import type { LostPart } from '../../model/lost-parts.ts';
import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, describe, kindOf, type Untrusted } from '../kit/narrow.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { bold, markdownLink } from '../kit/text/markdown.ts';
import type { CrispMessage, CrispType } from './format.ts';

/** What a message says. */
export interface Content {
  readonly text: string;
  readonly files: readonly Attachment[];
  readonly lost: Partial<Record<LostPart, number>>;
  /** Of an event. */
  readonly event?: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Part = (fields: Fields) => Content | undefined;

/** By types whose content is an object; undefined from one of them: the object is not what it should be. */
const readers: Readonly<Record<Exclude<CrispType, 'text' | 'note'>, Part>> = {
  file: fileOf,
  animation: fileOf,
  audio: fileOf,
  picker: pickerOf,
  field: fieldOf,
  carousel: carouselOf,
  event: eventOf,
};

export const isType = (type: unknown): type is CrispType =>
  type === 'text' || type === 'note' || (typeof type === 'string' && Object.hasOwn(readers, type));

/** Returns what a message says, by its type. */
export function contentOf(row: Untrusted<CrispMessage>, type: CrispType): Content | RowProblem {
  const code = 'crisp-bad-content';
  const { content } = row;
  if (type === 'text' || type === 'note') {
    if (typeof content === 'string') return { text: content.trim(), files: [], lost: {} };
    return { code, reason: `Expected a text in "content" of type "${type}", found ${kindOf(content)}` };
  }
  const fields = asObject<Fields>(content);
  if (fields === undefined)
    return { code, reason: `Expected an object in "content" of type "${type}", found ${describe(content)}` };
  return (
    readers[type](fields) ?? { code, reason: `Expected the fields of type "${type}" in "content", found other ones` }
  );
}

function fileOf(fields: Fields): Content | undefined {
  const url = asString(fields.url);
  if (url === undefined) return undefined;
  const mimeType = asString(fields.type);
  const file = { name: asString(fields.name) ?? nameIn(url), url, ...(mimeType !== undefined && { mimeType }) };
  return { text: '', files: [file], lost: fields.duration === undefined ? {} : { cardDetails: 1 } };
}

function pickerOf({ text, choices }: Fields): Content | undefined {
  if (typeof text !== 'string') return undefined;
  const lines = asArray(choices).map((value) => {
    const choice = asObject<Fields>(value) ?? {};
    const label = [asString(choice.icon), asId(choice.label) ?? asId(choice.value) ?? '…'].filter(Boolean).join(' ');
    return `- ${choice.selected === true ? bold(label) : label}`;
  });
  return { text: below(text, lines.join('\n')), files: [], lost: { menus: Math.max(1, lines.length) } };
}

/** What the visitor entered is below the question. */
function fieldOf({ text, explain, value }: Fields): Content | undefined {
  if (typeof text !== 'string') return undefined;
  const entered = asId(value);
  return { text: below(text, explain, entered && bold(entered)), files: [], lost: { menus: 1 } };
}

function carouselOf({ text, targets }: Fields): Content | undefined {
  if (typeof text !== 'string') return undefined;
  const files: Attachment[] = [];
  const cards = asArray(targets).map((value) => {
    const { title, description, image, actions } = asObject<Fields>(value) ?? {};
    const url = asString(image);
    if (url !== undefined) files.push({ name: nameIn(url), url });
    const heading = asString(title);
    return below(heading && bold(heading), description, asArray(actions).map(linkOf).join('\n'));
  });
  return { text: below(text, ...cards), files, lost: {} };
}

function linkOf(value: unknown): string {
  const { label, url } = asObject<Fields>(value) ?? {};
  const words = asString(label) ?? '…';
  const address = asString(url);
  return address === undefined ? words : markdownLink(address, words);
}

function eventOf({ namespace, text }: Fields): Content | undefined {
  const event = asString(namespace);
  return event === undefined ? undefined : { text: asString(text) ?? event, files: [], lost: {}, event };
}

const below = (...parts: readonly unknown[]): string => parts.map(asString).filter(Boolean).join('\n\n');

/** Articles and pages that a message refers to, as links; those without an address are counted. */
export function referencesIn(value: unknown): { readonly links: readonly string[]; readonly others: number } {
  const all = asArray(value).map((one) => asObject<Fields>(one) ?? {});
  const links = all.flatMap(({ name, target }) => {
    const url = asString(target);
    return url !== undefined && /^https?:/i.test(url) ? [markdownLink(url, asString(name))] : [];
  });
  return { links, others: all.length - links.length };
}
