import { staysInside } from '../../lib/files/inside-folder.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { type KeyRule, ruleOf } from '../harmless-keys.ts';

/** A key of a configuration that counts only in a file that was named or trusted. */
export interface RiskyKey {
  /** `['jobs', '0', 'export', 'command']`. */
  readonly at: readonly string[];
  readonly value: unknown;
  /** Effect of the key. */
  readonly because: string;
}

/** @param folder Of the file. */
export function riskyKeys(values: Readonly<Record<string, unknown>>, folder: string): readonly RiskyKey[] {
  return Object.entries(values).flatMap(([key, value]) => [...riskyIn(value, { at: [key], key, folder })]);
}

interface Place {
  readonly at: readonly string[];
  /** As the table names it: `jobs[].export.command`. */
  readonly key: string;
  readonly folder: string;
}

/** A table or a list without a rule is judged by what is in it; an empty one may switch something on. */
function* riskyIn(value: unknown, { at, key, folder }: Place): Generator<RiskyKey> {
  const rule = ruleOf(key);
  const isList = Array.isArray(value) && rule === undefined;
  const parts = isList || isObject(value) ? Object.entries(value) : [];
  for (const [name, inner] of parts)
    yield* riskyIn(inner, { at: [...at, name], key: isList ? `${key}[]` : `${key}.${name}`, folder });
  if (parts.length > 0 || (rule !== undefined && allows(rule, value, folder))) return;
  yield { at, value, because: rule?.because ?? 'is not known to be harmless' };
}

const allows = ({ counts }: KeyRule, value: unknown, folder: string): boolean =>
  counts === 'always' || (counts !== 'never' && textsOf(value).every((text) => isAllowed(counts, text, folder)));

const isAllowed = (counts: 'inside' | 'sandbox', value: unknown, folder: string): boolean =>
  typeof value === 'string' && (counts === 'sandbox' ? value === 'sandbox' : staysInside(value, folder));

const textsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
