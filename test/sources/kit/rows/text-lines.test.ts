import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineProblem, readTextLines, type TextLinesOptions } from '../../../../src/sources/kit/rows/text-lines.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const linesOf = async (content: string | Uint8Array, options?: TextLinesOptions) =>
  (await Array.fromAsync(readTextLines(memoryInput({ a: content }), 'a', options))).flat();

describe('readTextLines()', () => {
  it('numbers lines, without their ends and the byte order mark', async () => {
    expect(await linesOf('\ufeffa\r\n\nb\nc')).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: '' },
      { line: 3, text: 'b' },
      { line: 4, text: 'c' },
    ]);
    expect(await linesOf('')).toEqual([]);
    expect(await linesOf('a\n')).toEqual([{ line: 1, text: 'a' }]);
  });

  it('gives every line of any text, however it is cut into chunks', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 700 }).map((text) => text.replace(/[\r\n\ufeff]/g, ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const texts = (await linesOf(lines.map((text) => `${text}\n`).join(''))).map(({ text }) => text);
        expect(texts).toEqual(lines.map((text) => text.toWellFormed()));
      }),
      { numRuns: 50 },
    );
  });

  it('says which line is damaged or too long, and reads the next', async () => {
    const content = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 10]), Buffer.from(`${'x'.repeat(2500)}\nb`)]);
    expect(await linesOf(content, { lineBytesMax: 2000 })).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: '\ufffd', fault: 'damaged' },
      { line: 3, text: '', fault: 'too-long' },
      { line: 4, text: 'b' },
    ]);
  });

  it('has words for both', () => {
    expect([lineProblem('damaged'), lineProblem('too-long')].map(({ code }) => code)).toEqual([
      'damaged-text',
      'line-too-long',
    ]);
  });

  it('reads other encodings', async () => {
    expect(await linesOf(Buffer.from([0xe9, 10]), { encoding: 'windows-1252' })).toEqual([{ line: 1, text: 'é' }]);
    expect(await linesOf(Buffer.from('a\nb', 'utf16le'))).toMatchObject([{}, { text: 'b' }]);
  });

  it('reads single lines in another encoding if one is given', async () => {
    const content = Buffer.concat([Buffer.from('schön\n'), Buffer.from('schön\n', 'latin1'), Buffer.from('東京')]);
    expect(await linesOf(content, { otherwise: 'windows-1252' })).toEqual([
      { line: 1, text: 'schön' },
      { line: 2, text: 'schön', isOtherwise: true },
      { line: 3, text: '東京' },
    ]);
  });
});
