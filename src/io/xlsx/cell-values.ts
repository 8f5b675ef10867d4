import type { NumberKind } from './number-formats.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The last day that Excel knows: 9999-12-31, in the system of 1900. */
const serialMax = 2_958_466;

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?$/i;

export const isNumber = (text: string): boolean => text.length <= 400 && numberPattern.test(text);

/**
 * Whether digits were lost: Excel keeps 15. A number of 16 or more of them that has only zeros behind these, or an exponent, was rounded, or may have
 * been.
 */
export function mayBeRounded(text: string): boolean {
  const [, digits, exponent] = /^-?(\d(?:\d*|\.\d+))(?:E\+?(\d+))?$/i.exec(text) ?? [];
  if (digits === undefined) return false;
  return exponent === undefined ? digits.length >= 16 && /^\d{15}0+$/.test(digits) : Number(exponent) >= 15;
}

/**
 * A number as its format means it: ISO 8601 without a zone, with milliseconds if there are any. A number that is no date of Excel's
 * (negative, after 9999, the 29th of February 1900) keeps its digits.
 *
 * @param text As it is stored: days since the beginning of 1900 or 1904.
 */
export function numberText(text: string, kind: NumberKind, is1904: boolean): string {
  const days = Number(text);
  if (kind === 'number' || !(days >= 0 && days < serialMax)) return text;
  const ms = Math.round(days * dayMs);
  if (kind === 'hours')
    return `${pad(Math.floor(ms / hourMs))}:${new Date(ms).toISOString().slice(14).replace(zone, '')}`;
  const isTime = kind === 'time' && ms < dayMs;
  const at = isTime ? ms : sinceEpoch(ms, is1904);
  if (at === undefined) return text;
  const iso = new Date(at).toISOString().replace(zone, '');
  if (isTime) return iso.slice(11);
  return kind === 'date' && ms % dayMs === 0 ? iso.slice(0, 10) : iso;
}

/** Of a whole second the fraction goes too. */
const zone = /(?:\.000)?Z$/;

const pad = (count: number): string => String(count).padStart(2, '0');

/** Excel takes 1900 for a leap year: day 60 is the 29th of February, and days before it are one later than those after it. */
function sinceEpoch(ms: number, is1904: boolean): number | undefined {
  if (is1904) return Date.UTC(1904, 0, 1) + ms;
  if (ms < dayMs || (ms >= 60 * dayMs && ms < 61 * dayMs)) return undefined;
  return Date.UTC(1899, 11, ms < 60 * dayMs ? 31 : 30) + ms;
}

/** Resolves `_x000D_`, which is how a workbook writes characters that XML does not allow. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text
        .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .toWellFormed()
    : text.toWellFormed();
