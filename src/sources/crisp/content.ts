import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { Lost } from '../kit/lost.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { bold, markdownLink } from '../kit/text/markdown.ts';
import type { CrispMessage, CrispType } from './format.ts';

/** Content of a message. */
export interface Content {
  readonly text: string;
  readonly files: readonly Attachment[];
  readonly lost: Lost;
  /** Set for an event. */
  readonly event?: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Part = (fields: Fields, type: string) => Content | undefined;

/** By types whose content is an object; undefined from one of them: the object is not what it should be. */
const readers: Readonly<Record<Exclude<CrispType, 'text' | 'note'>, Part>> = {
  file: readFile,
  animation: readFile,
  audio: readFile,
  picker: readPicker,
  field: readField,
  carousel: readCarousel,
  event: readEvent,
};

export const isType = (type: unknown): type is CrispType =>
  type === 'text' || type === 'note' || (typeof type === 'string' && Object.hasOwn(readers, type));

/** Returns what a message says, by its type. */
export function readContent(row: Untrusted<CrispMessage>, type: CrispType): Content | RowProblem {
  const code = 'crisp-bad-content';
  const { content } = row;
  if (type === 'text' || type === 'note') {
    if (typeof content === 'string') return { text: content.trim(), files: [], lost: {} };
    return { code, reason: `Expected a text in "content" of type "${type}", found ${wordFor(content)}` };
  }
  const fields = asObject<Fields>(content);
  if (fields === undefined)
    return { code, reason: `Expected an object in "content" of type "${type}", found ${describe(content)}` };
  const reason = `Expected the fields of type "${type}" in "content", found other ones`;
  return readers[type](fields, type) ?? { code, reason };
}

function readFile(fields: Fields, kind: string): Content | undefined {
  const url = asString(fields.url);
  if (url === undefined || !areTexts(fields.name)) return undefined;
  const file = { name: asString(fields.name) ?? nameIn(url), url, mimeType: asString(fields.type), kind };
  return { text: '', files: [file], lost: fields.duration === undefined ? {} : { cardDetails: 1 } };
}

function readPicker({ text, choices }: Fields): Content | undefined {
  const all = readFields(choices);
  if (typeof text !== 'string' || !all?.every(({ icon, label, value }) => areTexts(icon, label, value)))
    return undefined;
  const lines = all.map((choice) => {
    const label = [asString(choice.icon), asWords(choice.label) ?? asWords(choice.value) ?? '…']
      .filter(Boolean)
      .join(' ');
    return `- ${choice.selected === true ? bold(label) : label}`;
  });
  return { text: below(text, lines.join('\n')), files: [], lost: { menus: Math.max(1, lines.length) } };
}

/** The text that the visitor entered is below the question. */
function readField({ text, explain, value }: Fields): Content | undefined {
  if (typeof text !== 'string' || !areTexts(explain, value)) return undefined;
  const entered = asWords(value);
  return { text: below(text, explain, entered && bold(entered)), files: [], lost: { menus: 1 } };
}

function readCarousel({ text, targets }: Fields): Content | undefined {
  const all = readFields(targets);
  if (typeof text !== 'string' || !all?.every(isCard)) return undefined;
  const files: Attachment[] = [];
  const cards = all.map(({ title, description, image, actions }) => {
    const url = asString(image);
    if (url !== undefined) files.push({ name: nameIn(url), url, kind: 'image' });
    const heading = asWords(title);
    return below(heading && bold(heading), description, readFields(actions)?.map(describeLink).join('\n'));
  });
  return { text: below(text, ...cards), files, lost: {} };
}

const isCard = ({ title, description, image, actions }: Fields): boolean =>
  areTexts(title, description, image) && readFields(actions)?.every(({ label, url }) => areTexts(label, url)) === true;

function describeLink({ label, url }: Fields): string {
  const words = asWords(label) ?? '…';
  const address = asString(url);
  return address === undefined ? words : markdownLink(address, words);
}

function readEvent({ namespace, text }: Fields): Content | undefined {
  const event = asString(namespace);
  return event === undefined || !areTexts(text)
    ? undefined
    : { text: asString(text) ?? event, files: [], lost: {}, event };
}

/** Texts, numbers, or nothing: an object in the place of a text must not become an empty one. */
const areTexts = (...values: readonly unknown[]): boolean =>
  values.every(
    (value) => value === undefined || value === null || typeof value === 'string' || typeof value === 'number',
  );

/** The objects of a list that may be missing; undefined if it is something else. */
function readFields(value: unknown): readonly Fields[] | undefined {
  const rows = asArray(value).flatMap((one): readonly Fields[] => {
    const row = asObject<Fields>(one);
    return row === undefined ? [] : [row as Fields];
  });
  const isList = value === undefined || value === null || Array.isArray(value);
  return isList && rows.length === asArray(value).length ? rows : undefined;
}

const asWords = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : asString(value));

const below = (...parts: readonly unknown[]): string => parts.map(asWords).filter(Boolean).join('\n\n');

/** Articles and pages that a message refers to, as links; those without an address are counted. */
export function referencesIn(value: unknown): { readonly links: readonly string[]; readonly others: number } {
  const given = value === undefined || value === null ? [] : [value].flat();
  const all = given.map((one): Untrusted<Fields> => asObject<Fields>(one) ?? {});
  const links = all.flatMap(({ name, target }) => {
    const url = asString(target);
    return url !== undefined && /^https?:/i.test(url) ? [markdownLink(url, asString(name))] : [];
  });
  return { links, others: all.length - links.length };
}
