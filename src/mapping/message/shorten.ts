import { nameLengthMax } from '../../service/limits.ts';

/** Cuts to `lengthMax` UTF-16 units without splitting a surrogate pair; an ellipsis marks the cut. */
export function shorten(text: string, lengthMax = nameLengthMax): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
