import { closeSync, openSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadWindow } from '../../src/io/input/regular-file.ts';
import { temporaryFile } from './temporary-files.ts';

describe('ReadWindow', () => {
  it('returns the bytes of the file at any position and in any order', () => {
    const bytes = Buffer.alloc(1_500_000);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at);
    const fd = openSync(temporaryFile('a', bytes), 'r');
    try {
      const window = new ReadWindow(fd, bytes.length);
      const position = fc.integer({ min: 0, max: bytes.length + 1000 });
      const length = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1_000_000 }));
      fc.assert(
        fc.property(fc.array(fc.tuple(position, length), { maxLength: 20 }), (looks) => {
          for (const [from, count] of looks) {
            expect(window.bytesAt(from, count).equals(bytes.subarray(from, from + count))).toBe(true);
          }
        }),
      );
    } finally {
      closeSync(fd);
    }
  });

  it('reads half a MiB once, in whatever order', () => {
    const bytes = Buffer.alloc(512 * 1024);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at);
    const fd = openSync(temporaryFile('b', bytes), 'r');
    const window = new ReadWindow(fd, bytes.length);
    const positions = Array.from({ length: 520 }, (_, index) => (index * 1009 * 1013) % (bytes.length - 1000));
    for (const position of positions) window.bytesAt(position, 1000);
    closeSync(fd);
    for (const position of positions.toReversed())
      expect(window.bytesAt(position, 1000).equals(bytes.subarray(position, position + 1000))).toBe(true);
  });

  it('returns nothing at positions that no file has', () => {
    const bytes = Buffer.alloc(100);
    const fd = openSync(temporaryFile('c', bytes), 'r');
    const window = new ReadWindow(fd, bytes.length);
    for (const position of [Number.NaN, 2 ** 64, 100]) expect(window.bytesAt(position, 4)).toHaveLength(0);
    closeSync(fd);
  });
});
