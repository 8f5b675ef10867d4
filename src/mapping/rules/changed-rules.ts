import { truncate } from '../../lib/plain-text.ts';

/** A key of the mapping whose value differs. `key` is dotted: `messages.system`; the values are JSON, shortened. */
export interface ChangedRule {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Columns of a value that are shown. */
const shownMax = 40;

/** What differs between two mappings, key by key, in the order of the newer one. */
export function changedRules(from: unknown, to: unknown, prefix = ''): ChangedRule[] {
  if (isSection(from) && isSection(to)) {
    const keys = new Set([...Object.keys(to), ...Object.keys(from)]);
    return [...keys].flatMap((key) => changedRules(from[key], to[key], prefix === '' ? key : `${prefix}.${key}`));
  }
  const [before, after] = [print(from), print(to)];
  return before === after ? [] : [{ key: prefix, from: truncate(before, shownMax), to: truncate(after, shownMax) }];
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const print = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
