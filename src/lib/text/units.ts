import { z } from 'zod';

/** `60` or `60/min` → 60. @throws RangeError in words for the user. */
export function parseRate(text: string): number {
  const match = /^(\d+)(?:\/min)?$/.exec(text.trim());
  return positive(match?.[1], text, 'requests per minute, such as 60 or 60/min');
}

/** `512KiB`, `1MiB`, `2GiB`, `64KB`, `100000` → bytes. */
export function parseBytes(text: string): number {
  const match = /^(\d+)\s*(B|KB|KiB|MB|MiB|GB|GiB)?$/i.exec(text.trim());
  const factors: Readonly<Record<string, number>> = {
    b: 1,
    kb: 1000,
    kib: 1024,
    mb: 1_000_000,
    mib: 1_048_576,
    gb: 1e9,
    gib: 2 ** 30,
  };
  const factor = factors[(match?.[2] ?? 'B').toLowerCase()]!;
  return positive(match?.[1], text, 'a size, such as 512KiB', factor);
}

/** As `parseBytes` reads it, in the largest unit that divides it: `1048576` as `1MiB`, `1500000` as `1500KB`. */
export function exactBytes(bytes: number): string {
  const units = [
    ['GiB', 2 ** 30],
    ['GB', 1e9],
    ['MiB', 2 ** 20],
    ['MB', 1e6],
    ['KiB', 1024],
    ['KB', 1000],
  ] as const;
  const [unit, factor] = units.find(([, size]) => bytes % size === 0) ?? ['', 1];
  return `${bytes / factor}${unit}`;
}

/** `90s`, `2m`, `500ms`, `0` → milliseconds; a bare number is seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+)\s*(ms|s|m|h)?$/.exec(text.trim());
  if (!match) throw new RangeError(`expected a time such as 90s, 2m or 500ms, found "${text}"`);
  const factors: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const ms = Number(match[1]) * factors[match[2] ?? 's']!;
  if (ms <= durationMaxMs) return ms;
  throw new RangeError(`expected a time of 24h at most, found "${text}"`);
}

/** A day: nothing that is waited for here takes longer. */
const durationMaxMs = 24 * 3_600_000;

/** `730` → 730 days; `unlimited` as it is. @throws RangeError in words for the user. */
export const parseRetention = (text: string): number | 'unlimited' =>
  text.trim() === 'unlimited' ? 'unlimited' : positive(text.trim(), text, 'a number of days, or unlimited');

/** `20%` or `0.2` → 0.2. */
export function parseShare(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(%)?$/.exec(text.trim());
  const share = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new RangeError(`expected a share from 0% to 100%, found "${text}"`);
}

export function parseCount(text: string, min: number, max: number): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new RangeError(`expected a whole number from ${min} to ${max}, found "${text}"`);
}

function positive(digits: string | undefined, text: string, wanted: string, factor = 1): number {
  const value = Number(digits ?? Number.NaN) * factor;
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw new RangeError(`expected ${wanted}, found "${text}"`);
}

/** Values of `chatferry.yaml` other than the options, in which every scalar comes as text, and of mappings, in which numbers may occur. */

export const text = z.string({ error: 'expected text' }).min(1, { error: 'expected a value, found nothing' });

/** For `transform` of a schema. @param parse Throws an error in words for the user. */
export const parsing =
  <Given, T>(parse: (given: Given) => T) =>
  (given: Given, context: z.RefinementCtx): T => {
    try {
      return parse(given);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  };

/** @param parse Throws a RangeError in words for the user. */
export const parsed = <T>(parse: (value: string) => T) =>
  z
    .union([z.string(), z.number()], { error: 'expected one value' })
    .transform(parsing((value) => parse(String(value))));

export const oneOrMore = <T>(parse: (value: string) => T) =>
  z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'expected a value, or a list of values' })
    .transform(parsing((given): readonly T[] => [given].flat().map(parse)));
