/** Cuts to `lengthMax` UTF-16 units without splitting a surrogate pair; an ellipsis marks the cut. */
export function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Returns the first line that contains text and is not a quote, at most `lengthMax` UTF-16 units; empty if there is none. */
export function firstLine(text: string, lengthMax: number): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '' && !candidate.startsWith('>'));
  return shorten(line?.trim() ?? '', lengthMax);
}
