import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberColumn } from '../../src/io/zip/zip-entries.ts';

it('holds whole numbers of any size, whichever come first', () => {
  const numbers = fc.array(fc.oneof(fc.nat(), fc.integer({ min: 0xffff_fff0, max: Number.MAX_SAFE_INTEGER })));
  fc.assert(
    fc.property(numbers, (values) => {
      const column = new NumberColumn(values.length);
      for (const [row, value] of values.entries()) column.set(row, value);
      expect(values.map((_, row) => column.get(row))).toEqual(values);
    }),
  );
});
