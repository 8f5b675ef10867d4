import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import type { Row, RowReader } from '../../../src/sources/tables/row.ts';
import { rowOf } from './rows.ts';

const names = ['u1', 'u2', 'u3'];
const rowAt = (index: number, body: string): Row => ({
  ...rowOf(
    {
      ...{ id: String(index), room_id: `r${Math.floor(index / 4) % 3}`, user_id: names[index % 3] },
      ...{ created_at: `2026-03-02T09:${String(index % 60).padStart(2, '0')}:00Z`, body },
    },
    index + 2,
  ),
  location: { path: 'm.csv', line: index + 2 },
});

/** Returns the questions about a table whose sample has the first 24 rows, all plain. */
async function asked(later: readonly string[]) {
  const rows = Array.from({ length: 24 }, (_, index) => rowAt(index, `Ship ${index} waits for the tide at the quay`));
  const all = [...rows, ...later.map((body, index) => rowAt(24 + index, body))];
  const reader: RowReader<object> = {
    hasFixedNames: true,
    tablesIn: async () => [],
    async *rows() {
      yield all;
    },
  };
  const samples = [{ path: 'm.csv', table: {}, rows, isCut: true }];
  const { findings } = await proposeBindings(samples, {}, { reader, of: {} });
  return findings.filter(({ alternatives }) => alternatives.length > 0).map(({ key }) => key);
}

describe('texts behind the sample', () => {
  it('are asked about if they have markup and those of the sample are plain', async () => {
    expect(await asked(['<p>The rope &amp; the buoy wait for fog</p>'])).toEqual(['messages.text.markup']);
    expect(await asked(['[b]The rope[/b] and the buoy wait for fog'])).toEqual(['messages.text.markup']);
  });

  it('are plain like the others if they have none', async () => {
    expect(await asked(['1 < 2, says the pilot, and waits', 'R&D waits for the tide as well'])).toEqual([]);
  });
});
