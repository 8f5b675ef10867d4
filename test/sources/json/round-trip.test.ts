import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRow } from '../../../src/sources/json/json-row.ts';
import { readRows } from '../../../src/sources/json/rows.ts';
import type { JsonRowsAt } from '../../../src/sources/kit/rows/json-rows.ts';
import { anyText } from '../../arbitrary-text.ts';
import { inChunks } from '../../io/chunks.ts';

/** Flat rows: any keys, any texts, and ids that a JavaScript number cannot hold. */
const row = fc.record({
  id: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  text: anyText,
  others: fc.dictionary(anyText, fc.oneof(anyText, fc.boolean(), fc.constant(null)), { maxKeys: 4 }),
});

interface Written {
  readonly text: string;
  readonly at: JsonRowsAt;
}

/** A row as JSON, its id as a number with every digit. */
const rowText = ({ id, text, others }: { id: bigint; text: string; others: object }, space?: number) =>
  JSON.stringify({ id: '@', text, others }, null, space).replace('"@"', String(id));

const list = (pattern: readonly string[]): JsonRowsAt => ({ layout: 'list', pattern });

/** Every shape that a file may have, with the location of its rows. */
const shapes: readonly ((texts: readonly string[], key: string) => Written)[] = [
  (texts) => ({ text: `[${texts.join(',')}]`, at: list([]) }),
  (texts) => ({ text: `\ufeff[\r\n${texts.join(' ,\r\n')}\r\n]\r\n`, at: list([]) }),
  (texts) => ({ text: texts.join('\n'), at: { layout: 'lines' } }),
  (texts) => ({ text: texts.map((text) => `${text}\r\n`).join('\n'), at: { layout: 'lines' } }),
  (texts) => ({ text: texts.join(''), at: { layout: 'values' } }),
  (texts, key) => ({
    text: `{"x":[{}],${JSON.stringify(key)}:{"m":[${texts.join(',')}]},"y":1}`,
    at: list([key, 'm']),
  }),
  (texts) => ({ text: `{${texts.map((text, index) => `"k${index}":${text}`).join(',')}}`, at: list([]) }),
  (texts) => ({ text: `{${texts.map((text, index) => `"k${index}":[${text}]`).join(',')}}`, at: list(['*']) }),
];

describe('any rows', () => {
  it('come back from every shape, encoding and size of chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...shapes),
        anyText.filter((key) => key !== 'x' && key !== 'y' && key !== '*'),
        fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
        fc.integer({ min: 1, max: 200 }),
        async (rows, shape, key, encoding, size) => {
          const { text, at } = shape(
            rows.map((one) => rowText(one)),
            key.toWellFormed(),
          );
          const bytes = Buffer.from(
            encoding === 'utf8' || text.startsWith('\ufeff') ? text : `\ufeff${text}`,
            encoding,
          );
          const steps = (await Array.fromAsync(readRows(inChunks(bytes, size), 'a', at))).flat();
          expect(steps.every((step) => step instanceof JsonRow)).toBe(true);
          const read = steps.map((step) => (step instanceof JsonRow ? [step.get('id'), step.get('text')] : step));
          expect(read).toEqual(rows.map(({ id, text }) => [exact(id), text]));
        },
      ),
      { numRuns: 300 },
    );
  });
});

const exact = (id: bigint) => (Number.isSafeInteger(Number(id)) ? Number(id) : String(id));
