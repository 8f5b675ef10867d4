/** UTF-16 units of a value that are shown at most. */
const valueMax = 500;

/** A value of a row as a person sees it: of bytes, such as an archive that holds a text, what can be read. */
export function shownCell(value: unknown): string {
  const text = value instanceof Uint8Array ? readable(value) : String(value);
  return (text.length > valueMax ? `${text.slice(0, valueMax)}…` : text).toWellFormed();
}

/** Everything else as points, as in a dump of bytes; in UTF-16 every other byte of a text may be zero. */
const readable = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replaceAll('\0', '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\ufffd]+/gu, '.');
