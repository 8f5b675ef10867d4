/** Values that a run may have beyond those that are wanted: writers fill the last one up. */
const paddingMax = 4096;

/**
 * Checks values of the hybrid of run lengths and packed bits before the package reads them: it writes as many as a run says that it has.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/, looked up in 2026-11.
 *
 * @param offset Of the first run. @param width Bits of a value. @param count Values that are wanted.
 * @throws RangeError if a run is too long, or cut off.
 */
export function checkRuns(bytes: DataView, offset: number, { width, count }: { width: number; count: number }): void {
  if (width > 32) throw new RangeError(`a value would have ${width} bits`);
  let seen = 0;
  while (seen < count) {
    let head = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.getUint8(offset++);
      head += (byte & 127) * scale;
      if (byte < 128) break;
      if (scale > 2 ** 35) throw new RangeError('the length of a run is too long');
    }
    const isPacked = head % 2 === 1;
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1);
    if (length > count - seen + paddingMax)
      throw new RangeError(`a run would have ${length} values, where ${count - seen} are left`);
    offset += isPacked ? (length / 8) * width : Math.ceil(width / 8);
    seen += length;
  }
}
