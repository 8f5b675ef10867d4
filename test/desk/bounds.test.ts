import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { closeOpened, type OpenedExport, openToAsk } from '../../src/commands/questions.ts';
import { Decisions } from '../../src/desk/engine/decisions.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const rowCount = 12_000;

/** An export of two tables with more rows than a look at it reads. @returns Its folder. */
function largeTables(): string {
  const folder = join(home.make(), 'export');
  mkdirSync(folder);
  const lines = (header: string, line: (number: number) => string) =>
    `${header}\n${Array.from({ length: rowCount }, (_, index) => line(index + 1)).join('\n')}\n`;
  const time = (number: number) => new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString().slice(0, 19);
  writeFileSync(
    join(folder, 'users.csv'),
    lines('id,name', (number) => `u${number},Person ${number}`),
  );
  writeFileSync(
    join(folder, 'messages.csv'),
    lines('id,room,user_id,sent_at,text,reply_to', (number) =>
      [
        number,
        `r${number % 7}`,
        `u${number}`,
        time(number),
        `Text ${number}`,
        number % 5 === 0 ? number - 1 : '',
      ].join(),
    ),
  );
  return folder;
}

/** Counts the entries that are read, and the proposals that are made. */
function counting(opened: OpenedExport) {
  const counts = { entries: 0, proposals: 0 };
  const { adapter } = opened;
  const read: SourceAdapter['read'] = async function* (...asked) {
    for await (const entries of adapter.read(...asked)) {
      counts.entries += entries.length;
      yield entries;
    }
  };
  const propose: SourceAdapter['propose'] = (...asked) => {
    counts.proposals++;
    return adapter.propose!(...asked);
  };
  return { counts, opened: { ...opened, adapter: { ...adapter, read, propose } } };
}

it('a preview reads a part of each table, and nothing again that it knows', async () => {
  const path = largeTables();
  const asked = await openToAsk([path], undefined);
  onTestFinished(() => closeOpened(asked));
  const { counts, opened } = counting(asked);
  const decisions = new Decisions();
  const folder = home.make();
  const facts = {
    ...{
      exports: [path],
      source: undefined,
      workspace: undefined,
      unread: [],
      plan: null,
      counted: null,
      version: '1',
    },
    ...{ mapping: join(folder, 'm.yaml'), store: join(folder, 'chatferry.db') },
  };
  const cards = await decisions.cards(opened, facts);
  const card = cards.find(({ answers }) => answers.length > 1)!;
  expect(counts.entries).toBe(0);
  const before = counts.proposals;
  const preview = () => decisions.preview(opened, { facts, card: card.id, answer: 0, text: null, signal: never });
  const first = await preview();
  expect(first.rows).toHaveLength(3);
  // 5,000 people, and messages until 1,000 of them are enough: a list of rows holds some hundreds.
  expect(counts.entries).toBeGreaterThan(3);
  expect(counts.entries).toBeLessThan(rowCount / 1.5);
  expect(counts.proposals - before).toBeLessThanOrEqual(1);
  const once = { ...counts };
  expect(await preview()).toEqual(first);
  await decisions.cards(opened, facts);
  expect(counts).toEqual(once);
  // The files have changed, and say the same about the export.
  await decisions.cards(opened, { ...facts, version: '2' });
  expect(counts).toEqual(once);
});
