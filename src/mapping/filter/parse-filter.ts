import { parseInstant } from '../../lib/instant.ts';
import { type Filter, foldName, type Term } from './filter.ts';
import { isKind, kinds } from './kinds.ts';
import { readTerms, type WrittenTerm, type WrittenValue } from './read-terms.ts';

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
  return { text: written.map(({ source }) => source).join(' '), terms: written.map(termOf) };
}

function termOf({ key, column, isNegated, values }: WrittenTerm): Term {
  switch (key) {
    case 'in':
    case 'from':
      return { key, isNegated, values: values.map(({ text }) => foldName(text)) };
    case 'text':
      return { key, isNegated, values: values.map(({ text }) => text.toLowerCase()) };
    case 'id':
      return { key, isNegated, values: values.map(({ text }) => text) };
    case 'kind':
      return { key, isNegated, values: values.map(kindOf) };
    case 'after':
    case 'before':
      return { key, isNegated, atMs: instantOf(values, key) };
    default:
      throw new RangeError(
        `column ${column}: expected one of ${keys.map((known) => `${known}:`).join(' ')}, found "${key}:"`,
      );
  }
}

function kindOf({ text, column }: WrittenValue) {
  if (isKind(text)) return text;
  throw new RangeError(`column ${column}: expected one of ${kinds.join(', ')}, found "${text}"`);
}

function instantOf([value, second]: readonly WrittenValue[], key: string): number {
  if (second) throw new RangeError(`column ${second.column}: expected one time for ${key}:, found a second`);
  try {
    return parseInstant(value!.text).firstSecond * 1000;
  } catch (error) {
    throw new RangeError(`column ${value!.column}: ${(error as Error).message}`);
  }
}
