import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreToRead } from '../../src/store/open.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { PeopleIndex } from '../../src/desk/engine/people-index.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import type { Page } from '../../src/desk/shapes.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { isNightly } from '../tier.ts';

const home = temporaryFolder();
const peopleCount = isNightly ? 100_000 : 1_000;
/** Everyone whose number is divisible by it has a twin, with the same address and name. There are five handles. */
const twinEvery = peopleCount / 100;
const writers = 700;

async function indexed() {
  const folder = home.make();
  const people = Array.from({ length: peopleCount }, (_, index) => {
    const who = index % twinEvery === 1 ? index - 1 : index;
    return person(`U${index}`, { name: `Person  ${who}`, email: `P${who}@example.com`, handle: `h${index % 5}` });
  });
  const messages = Array.from({ length: writers * 2 }, (_, index) => says(index, 'C1', `U${index % writers}`, 'hi'));
  const from = [writeRecords(join(folder, 'export.ndjson'), [...people, channel('C1'), ...messages])];
  await planExport(await sessionRequest(folder, { from }));
  const store = openStoreToRead(join(folder, 'chatferry.db'));
  const index = new PeopleIndex(store, defaultRules());
  store.close();
  return index;
}

/** All rows, page by page. */
function all<Row>(pageAfter: (after: string | null) => Page<Row>, rowsMax: number): Row[] {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const page = pageAfter(after);
    expect(page.rows.length).toBeLessThanOrEqual(rowsMax);
    rows.push(...page.rows);
    expect(rows.length).toBeLessThanOrEqual(peopleCount);
    if (page.next === null) return rows;
    expect(page.rows.length).toBe(rowsMax);
    after = page.next;
  }
}

describe('the index of many people', () => {
  it('has everyone once, in pages; finds those who are searched; groups those who may be one', {
    timeout: 600_000,
  }, async () => {
    const index = await indexed();
    const table = () => [...index.csv()].join('');
    const withoutUids = table();
    const find = (search: string, only: 'all' | 'open' | 'set' = 'all') =>
      all((after) => index.page({ search, only, after }), 30);
    expect(index.people).toBe(peopleCount);
    const everyone = find('');
    expect(new Set(everyone.map(({ id }) => id)).size).toBe(peopleCount);
    expect(everyone.map(({ messages }) => messages)).toEqual(
      Array.from({ length: peopleCount }, (_, place) => (place < writers ? 2 : 0)),
    );
    expect(find(`U${peopleCount - 1}`).map(({ id }) => id)).toEqual([`U${peopleCount - 1}`]);
    expect(find('nobody')).toEqual([]);
    expect(find('', 'set')).toEqual([]);
    for (const by of ['email', 'name'] as const) {
      const groups = all((after) => index.duplicates({ by, after }), 10);
      expect(groups.length).toBe(peopleCount / twinEvery);
      expect(new Set(groups.map(({ value }) => value)).size).toBe(groups.length);
      expect(groups.every(({ people, more }) => people.length === 2 && more === 0)).toBe(true);
    }
    const handles = all((after) => index.duplicates({ by: 'handle', after }), 10);
    expect(handles.map(({ people, more }) => people.length + more)).toEqual(Array(5).fill(peopleCount / 5));
    expect(handles.every(({ people }) => people.length === 10)).toBe(true);
    index.setTable(new Map(everyone.map(({ id }, place) => [id, `u-${place % 2 === 0 ? place : place - 1}`])));
    expect([index.entries, index.unmatched, index.sharedUids]).toEqual([peopleCount, 0, peopleCount / 2]);
    index.setUid('U0', null);
    expect(find('', 'open').map(({ id, uid }) => [id, uid])).toEqual([['U0', 'u0']]);
    const lines = table().split('\r\n');
    expect([lines.length, lines[1]]).toEqual([peopleCount + 2, '"U0","Person  0","h0","P0@example.com","2","","u0"']);
    expect(lines.slice(2, -1).every((line) => line.includes('","u-'))).toBe(true);
    const [last] = everyone.slice(-1);
    index.setUid(last!.id, 'the-last');
    expect(table().match(/"the-last"/g)).toHaveLength(1);
    index.setTable(new Map([[last!.id, 'again']]));
    expect(table().match(/"(u-\d+|again)"/g)).toEqual(['"again"']);
    index.setTable(new Map());
    expect(table()).toBe(withoutUids);
    index.close();
  });
});
