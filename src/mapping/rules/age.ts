import { z } from 'zod';
import { parseInstant } from '../../lib/instant.ts';

const dayMs = 86_400_000;
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 };

/** `none`, `183d`, `26w`, `2y` (of 365 days), or a date such as `2024-01-01`. */
export const ageSchema = z.string().refine((text) => text === 'none' || isAge(text), {
  error: 'expected an age such as 183d, 26w or 2y, a date such as 2024-01-01, or none',
});

function isAge(text: string): boolean {
  try {
    return ageStartMs(text, 0) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The first instant that is young enough; nothing for `none`.
 *
 * @param nowMs Wall time of the plan, from which ages count back.
 * @throws RangeError
 */
export function ageStartMs(text: string, nowMs: number): number | undefined {
  if (text === 'none') return undefined;
  const [, count, unit] = /^(\d{1,5})([dwy])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * unitDays[unit!]! * dayMs;
  return parseInstant(text).firstSecond * 1000;
}
