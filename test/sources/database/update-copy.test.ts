import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CellText, Database, RowsSince, ServerClock } from '../../../src/sources/database/database.ts';
import { openCopy } from '../../../src/sources/database/followed/open-copy.ts';
import { updateCopy } from '../../../src/sources/database/followed/update-copy.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const hourMs = 3_600_000;
const nowMs = Date.parse('2026-03-02T10:00:00Z');

type Rows = readonly (readonly [id: string, at: CellText])[];

/** A table `m` with a key and a time, at a server. Compares times as text, which all of a test are written alike for. */
function server(rows: Rows, clock: ServerClock | undefined, primaryKey: readonly string[] = ['id']) {
  const asked: (RowsSince | undefined)[] = [];
  const columns = ['id', 'at'].map((name) => ({ name, type: 'timestamp' }));
  const database: Database = {
    ...{ system: 'PostgreSQL', problems: [], clock },
    tables: [{ name: 'm', primaryKey, foreignKeys: [], isView: false, columns }],
    async *rows(_table, _columns, _signal, since) {
      asked.push(since);
      yield rows.filter(([, at]) => !since || at === null || at >= since.from).map((values) => ({ values }));
    },
    async close() {},
  };
  return { database, asked };
}

function copyScene() {
  const path = join(home.make(), 'copy');
  return {
    bytes: () => readFileSync(path),
    async update(rows: Rows, clock: ServerClock | undefined, { isWhole = false, backMs = 0, hasKey = true } = {}) {
      const { database, asked } = server(rows, clock, hasKey ? undefined : []);
      const cursors = new Map(hasKey ? [['m', 'at']] : []);
      const update = { columns: new Map([['m', ['id', 'at']]]), cursors, isWhole, backMs, beforeCommit() {} };
      await updateCopy(path, database, update, never);
      return asked[0]?.from;
    },
    async rows() {
      const copy = openCopy(path);
      const lists = await Array.fromAsync(copy.rows('m', ['id', 'at'], never));
      await copy.close();
      return lists.flatMap((list) => list.map(({ values }) => values.join(' ')));
    },
  };
}

describe('updateCopy()', () => {
  it('asks from the latest known time on, and forgets one of the future when it reads everything', async () => {
    const { update, rows } = copyScene();
    const early = [['1', '2026-03-02 09:59:00+00']] as const;
    await update([...early, ['2', '2099-01-01 00:00:00+00']], undefined);
    expect(await update(early, { nowMs }, { isWhole: true })).toBeUndefined();
    const later = [...early, ['3', '2026-03-02 10:00:00+00']] as const;
    expect(await update(later, { nowMs: nowMs + hourMs }, { backMs: hourMs })).toBe('2026-03-02 08:59:00+00');
    expect(await rows()).toEqual(later.map((row) => row.join(' ')));
  });

  it('reads everything if the server does not report its time', async () => {
    const { update } = copyScene();
    await update([['1', '2026-03-02 09:59:00+00']], { nowMs });
    expect(await update([['1', '2026-03-02 09:59:00+00']], undefined)).toBeUndefined();
  });

  it('goes back another hour where times have no zone: in autumn an hour comes twice', async () => {
    const { update } = copyScene();
    await update([['1', '2026-03-02 09:59:00']], { nowMs });
    expect(await update([['1', '2026-03-02 09:59:00']], { nowMs }, { backMs: hourMs })).toBe('2026-03-02 07:59:00');
  });

  it('leaves the file as it is if no row changed', async () => {
    const { update, bytes } = copyScene();
    await update([['1', '2026-03-02 09:59:00']], { nowMs });
    const before = bytes();
    await update([['1', '2026-03-02 09:59:00']], { nowMs }, { isWhole: true });
    expect(bytes().equals(before)).toBe(true);
  });

  it('counts rows of a table without a key that are there several times', async () => {
    const { update, rows } = copyScene();
    const [x, y] = [
      ['x', null],
      ['y', null],
    ] as const;
    await update([x, x, y], { nowMs }, { hasKey: false });
    await update([x, y, y], { nowMs }, { hasKey: false });
    expect(await rows()).toEqual(['x ', 'y ', 'y ']);
  });

  it('refuses two rows with one key, and loses none of them in silence', async () => {
    const { update } = copyScene();
    await expect(
      update(
        [
          ['1', '2026-03-02 09:59:00'],
          ['1', '2026-03-02 09:58:00'],
        ],
        { nowMs },
      ),
    ).rejects.toThrow('two rows with the same primary key');
  });
});
