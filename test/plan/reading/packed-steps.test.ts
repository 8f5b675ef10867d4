import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendRows } from '../../../src/checkpoint/staging/append-rows.ts';
import { unpackRow } from '../../../src/checkpoint/staging/packed-rows.ts';
import { packSteps, unpackSteps } from '../../../src/plan/reading/packed-steps.ts';
import type { Step } from '../../../src/plan/reading/protocol.ts';
import { openTestStore } from '../../checkpoint/fixture.ts';
import { rowChanges, stagedRow } from '../../scenes/staged-rows.ts';

const row = fc.tuple(
  rowChanges,
  fc.constantFrom('a.json', 'b.json'),
  fc.constantFrom('C1', 'C2'),
  fc.constantFrom('U1', 'U2', null),
);
const file: Step = { type: 'file', path: 'a.json', role: 'rows', stat: { sizeBytes: 1, fingerprint: 'f' } };
const problem: Step = { type: 'problem', path: 'a.json', code: 'odd', reason: 'so', place: 'a.json', count: 1 };
const step = fc.oneof({ weight: 5, arbitrary: row }, fc.constantFrom(file, problem));

/** Whatever crosses between threads is cloned. */
const crossed = (steps: readonly Step[]) => unpackSteps(structuredClone(packSteps({ input: 0, steps }))).steps;

const stepsOf = (given: readonly (Step | readonly unknown[])[]) =>
  given.map((one, index): Step => {
    if (!Array.isArray(one)) return one as Step;
    const [changes, path, conversation, sender] = one;
    return {
      type: 'row',
      path,
      row: stagedRow(index, { reactions: undefined, part: undefined, ...changes, conversation, sender }),
    };
  });

/** Halves of characters have no bytes: ids are kept apart by other means. */
const asStored = (steps: readonly Step[]): unknown =>
  JSON.parse(JSON.stringify(steps), (key, value: unknown) =>
    typeof value === 'string' && key !== 'originId' ? value.toWellFormed() : value,
  );

describe('packSteps()', () => {
  it('loses nothing on the way to another thread, nor the order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (given) => {
        const steps = stepsOf(given);
        const found = crossed(steps).flatMap((one): Step[] => {
          if (one.type !== 'packed') return [one];
          const { rows, from, to, path, of } = one;
          return Array.from({ length: to - from }, (_, index) => ({
            type: 'row',
            path,
            row: unpackRow(rows, from + index, of),
          }));
        });
        expect(asStored(found)).toEqual(asStored(steps));
      }),
      { numRuns: 60 },
    );
  });

  it('makes rows that are written as they would be one by one', () => {
    const [packed, single] = [openTestStore().db, openTestStore().db];
    const home = { file: 1, path: 'a.json', conversation: 1, sender: 2 };
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (given) => {
        for (const db of [packed, single]) db.exec('DELETE FROM message');
        const steps = stepsOf(given);
        const [whole, parts] = [appendRows(single), appendRows(packed)];
        for (const one of steps) if (one.type === 'row') whole.save(one.row, home);
        for (const one of crossed(steps)) {
          if (one.type === 'row') parts.save(one.row, home);
          if (one.type !== 'packed') continue;
          for (let index = one.from; index < one.to; index++) parts.savePacked(one.rows, index, home);
        }
        whole.flush();
        parts.flush();
        const [found, wanted] = [packed, single].map((db) => db.prepare('SELECT * FROM message ORDER BY seq').all());
        expect(found).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });
});
