import type { Finding, SourceAdapter } from '../../sources/source.ts';
import { keyPath, type KeyPath, type Settings, valueAt, withoutValue, withValue } from './settings.ts';

/** One way to answer a question. */
interface OpenReading {
  /** Of the key. */
  readonly value: unknown;
  /** What would stand at the question's `path`: the same, or a table with it. */
  readonly written: unknown;
  readonly because: string;
}

/** A question of the source that nobody has answered yet. */
export interface OpenQuestion {
  /** Dotted key inside the `source:` section. */
  readonly key: string;
  readonly because: string;
  readonly isRequired: boolean;
  /** What is left out of the section as long as it is open: the key itself, or the table around it. */
  readonly path: KeyPath;
  readonly readings: readonly OpenReading[];
}

/**
 * The proposed options without what is open.
 *
 * A key that has a default would be read in one of its ways without anybody having said so. So the table around it is
 * left out as well where the source needs that: then reading says what is missing instead of guessing.
 */
export function leaveOpen(
  adapter: SourceAdapter,
  options: Settings,
  open: readonly Finding[],
): { readonly certain: Settings; readonly questions: readonly OpenQuestion[] } {
  const filled = open.reduce((rest, finding) => {
    const first = readingsOf(finding)[0];
    return first === undefined ? rest : withValue(rest, keyPath(finding.key), first.value);
  }, options);
  const questions = open.map((finding): OpenQuestion => {
    const inside = keyPath(finding.key);
    const path = missedPart(adapter, filled, inside);
    const readings = readingsOf(finding).map(({ value, because }) => ({
      value,
      written: valueAt(withValue(filled, inside, value), path),
      because,
    }));
    return { key: finding.key, because: finding.because, isRequired: finding.isRequired, path, readings };
  });
  return { certain: questions.reduce((rest, { path }) => withoutValue(rest, path), options), questions };
}

const readingsOf = ({ value, because, alternatives }: Finding) =>
  value === undefined ? alternatives : [{ value, because }, ...alternatives];

/** The innermost part of a path without which the source refuses its options; the whole path where there is none. */
function missedPart(adapter: SourceAdapter, options: Settings, path: KeyPath): KeyPath {
  for (let depth = path.length; depth > 1; depth--) {
    const part = path.slice(0, depth);
    if (!adapter.options.safeParse(withoutValue(options, part)).success) return part;
  }
  return path;
}
