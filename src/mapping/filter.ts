import { parseInstant } from '../lib/text/instant.ts';
import type { Facts } from '../model/facts.ts';

/** A filter as it was understood. Every term must hold; of the values of one term, any. */
export interface Filter {
  /** As it was written, with one space between terms: equal texts are equal filters. */
  readonly text: string;
  /** @internal */
  readonly terms: readonly Term[];
}

export type Term = { readonly isNegated: boolean } & (
  | { readonly key: 'in' | 'from' | 'id' | 'text'; readonly values: readonly string[] }
  | { readonly key: 'kind'; readonly values: readonly Kind[] }
  | { readonly key: 'after' | 'before'; readonly atMs: number }
);

/** Message data that a filter needs, from any origin: an export that is read, or the store. */
export interface FilterSubject {
  readonly muid: string;
  readonly originId: string;
  /** Names by which the conversation may be called, folded: `foldName`. */
  readonly conversationNames: readonly string[];
  readonly senderNames: readonly string[];
  readonly sentAtMs: number;
  readonly facts: Facts;
  /** Returns the text as it is sent. Called only if the filter asks for it. */
  text(): string;
}

/** Names are compared without regard to upper and lower case, and a channel may be called with its `#`. */
const foldName = (name: string): string => name.toLowerCase().replace(/^[#@](?=.)/, '');

/** The names among them that are there, folded. */
export const foldedNames = (...names: readonly (string | undefined | null)[]): readonly string[] =>
  names.filter((name): name is string => Boolean(name)).map(foldName);

export const matches = ({ terms }: Filter, subject: FilterSubject): boolean =>
  terms.every((term) => holds(term, subject) !== term.isNegated);

function holds(term: Term, subject: FilterSubject): boolean {
  switch (term.key) {
    case 'in':
      return term.values.some((value) => subject.conversationNames.includes(value));
    case 'from':
      return term.values.some((value) => subject.senderNames.includes(value));
    case 'id':
      return term.values.includes(subject.muid) || term.values.includes(subject.originId);
    case 'kind':
      return term.values.some((kind) => tests[kind](subject.facts));
    case 'after':
      return subject.sentAtMs >= term.atMs;
    case 'before':
      return subject.sentAtMs < term.atMs;
    case 'text': {
      const text = subject.text().toLowerCase();
      return term.values.some((value) => text.includes(value));
    }
  }
}

/** Kinds of messages that a filter may ask for, each by the facts that are counted of every message. */
const tests = {
  message: ({ system, calls, internal, restricted }) => !system && !calls && !internal && !restricted,
  internal: ({ internal, restricted }) => Boolean(internal ?? restricted),
  system: ({ system }) => Boolean(system),
  call: ({ calls }) => Boolean(calls),
  bot: ({ bot }) => Boolean(bot),
  reply: ({ replies }) => Boolean(replies),
  edited: ({ edited }) => Boolean(edited),
  deleted: ({ deleted }) => Boolean(deleted),
  pinned: ({ pinned }) => Boolean(pinned),
  quote: ({ quotes }) => Boolean(quotes),
  mention: ({ mentions }) => Boolean(mentions),
  reaction: ({ reactions }) => Boolean(reactions),
  file: ({ attachments, filesWithoutAddress }) => Boolean(attachments || filesWithoutAddress),
} as const satisfies Readonly<Record<string, (facts: Facts) => boolean>>;

export type Kind = keyof typeof tests;

export const kinds = Object.keys(tests) as readonly Kind[];

const isKind = (word: string): word is Kind => Object.hasOwn(tests, word);

const keys = ['in', 'from', 'kind', 'after', 'before', 'text', 'id'] as const;

/**
 * `in:general,random from:ada -kind:system after:2024-01-01 text:"new invoice"`: terms that must all hold, with values of
 * which any may; `-` turns a term round. `after` is from that day or instant on, `before` up to it and without it, so
 * that two filters that meet at a day share no message.
 *
 * @throws RangeError in words for the user, with the column.
 */
export function parseFilter(text: string): Filter {
  const written = readTerms(text);
  if (written.length === 0) throw new RangeError('expected at least one term, such as in:general');
  return { text: written.map(({ source }) => source).join(' '), terms: written.map(toTerm) };
}

function toTerm({ key, column, isNegated, values }: WrittenTerm): Term {
  switch (key) {
    case 'in':
    case 'from':
      return { key, isNegated, values: values.map(({ text }) => foldName(text)) };
    case 'text':
      return { key, isNegated, values: values.map(({ text }) => text.toLowerCase()) };
    case 'id':
      return { key, isNegated, values: values.map(({ text }) => text) };
    case 'kind':
      return { key, isNegated, values: values.map(parseKind) };
    case 'after':
    case 'before':
      return { key, isNegated, atMs: readInstant(values, key) };
    default:
      throw new RangeError(
        `column ${column}: expected one of ${keys.map((known) => `${known}:`).join(' ')}, found "${key}:"`,
      );
  }
}

function parseKind({ text, column }: WrittenValue) {
  if (isKind(text)) return text;
  throw new RangeError(`column ${column}: expected one of ${kinds.join(', ')}, found "${text}"`);
}

function readInstant([value, second]: readonly WrittenValue[], key: string): number {
  if (second) throw new RangeError(`column ${second.column}: expected one time for ${key}:, found a second`);
  try {
    return parseInstant(value!.text).firstSecond * 1000;
  } catch (error) {
    throw new RangeError(`column ${value!.column}: ${(error as Error).message}`);
  }
}

/** A term as written in a filter: `-in:general,"a b"`. Columns count from 1. */
export interface WrittenTerm {
  readonly source: string;
  readonly column: number;
  readonly isNegated: boolean;
  readonly key: string;
  /** At least one. */
  readonly values: readonly WrittenValue[];
}

export interface WrittenValue {
  readonly text: string;
  readonly column: number;
}

/**
 * Splits a filter at its white space. A value ends at a comma or white space unless it is in double quotes; in those,
 * `\"` is a quote and `\\` a backslash.
 *
 * @throws RangeError in words for the user, with the column.
 */
function readTerms(filter: string): readonly WrittenTerm[] {
  const terms: WrittenTerm[] = [];
  for (let at = skipSpace(filter, 0); at < filter.length; ) {
    const { term, end } = readTerm(filter, at);
    terms.push(term);
    at = skipSpace(filter, end);
  }
  return terms;
}

function skipSpace(filter: string, from: number): number {
  let at = from;
  while (at < filter.length && isSpace(filter[at]!)) at++;
  return at;
}

const isSpace = (character: string) => /\s/.test(character);

const termStart = /(-?)([A-Za-z]+):/y;

function readTerm(filter: string, start: number): { term: WrittenTerm; end: number } {
  termStart.lastIndex = start;
  const match = termStart.exec(filter);
  if (!match) {
    const found = /\S+/.exec(filter.slice(start))![0];
    throw new RangeError(
      `column ${start + 1}: expected KEY:VALUE, such as in:general or -kind:system, found "${found}"`,
    );
  }
  const [, minus, key] = match;
  const values: WrittenValue[] = [];
  let at = termStart.lastIndex;
  do {
    if (values.length > 0) at++;
    const read = filter[at] === '"' ? readQuoted(filter, at) : readBare(filter, at);
    if (read.text === '') throw new RangeError(`column ${at + 1}: expected a value for ${key}:, found nothing`);
    values.push({ text: read.text, column: at + 1 });
    at = read.end;
  } while (filter[at] === ',');
  if (at < filter.length && !isSpace(filter[at]!)) {
    throw new RangeError(`column ${at + 1}: expected a comma or a space after the quote, found "${filter[at]}"`);
  }
  const source = filter.slice(start, at);
  return { term: { source, column: start + 1, isNegated: minus === '-', key: key!.toLowerCase(), values }, end: at };
}

function readBare(filter: string, start: number): { text: string; end: number } {
  let at = start;
  while (at < filter.length && filter[at] !== ',' && !isSpace(filter[at]!)) at++;
  return { text: filter.slice(start, at), end: at };
}

const quotedValue = /"((?:[^"\\]|\\["\\])*)"/y;

function readQuoted(filter: string, start: number): { text: string; end: number } {
  quotedValue.lastIndex = start;
  const match = quotedValue.exec(filter);
  if (!match) {
    throw new RangeError(`column ${start + 1}: expected a closing quote; inside quotes write \\" and \\\\`);
  }
  return { text: match[1]!.replaceAll(/\\(.)/g, '$1'), end: quotedValue.lastIndex };
}
