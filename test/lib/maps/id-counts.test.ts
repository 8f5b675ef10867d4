import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdCounts } from '../../../src/lib/maps/id-counts.ts';

it('IdCounts counts ids, and names those that came most often, the smallest first of equals', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 })), fc.integer({ min: 1, max: 5 }), (ids, max) => {
      const counts = new IdCounts();
      for (const id of ids) counts.add(id);
      const groups = [...Map.groupBy(ids, (id) => id)].map(([id, all]) => ({ id, count: all.length }));
      expect(counts.size).toBe(groups.length);
      for (const { id } of groups) expect([counts.has(id), counts.has(id + 3_000)]).toEqual([true, false]);
      const sorted = groups.sort((a, b) => b.count - a.count || a.id - b.id);
      expect(counts.most(max)).toEqual(sorted.slice(0, max));
    }),
  );
});
