import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { closeOpened, type OpenedExport, openToAsk } from '../../src/decisions/questions.ts';
import { Decisions } from '../../src/desk/engine/decisions.ts';
import type { TableSource } from '../../src/sources/table-source.ts';
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
  const adapter = opened.adapter as TableSource;
  const read: TableSource['read'] = async function* (...asked) {
    for await (const entries of adapter.read(...asked)) {
      counts.entries += entries.length;
      yield entries;
    }
  };
  const propose: TableSource['propose'] = (...asked) => {
    counts.proposals++;
    return adapter.propose(...asked);
  };
  return { counts, opened: { ...opened, adapter: { ...adapter, read, propose } } };
}

/** The decisions about such an export, whose entries are counted. */
async function largeScene() {
  const path = largeTables();
  const asked = await openToAsk([path], undefined);
  onTestFinished(() => closeOpened(asked));
  const folder = home.make();
  return { path, ...counting(asked), decisions: new Decisions(), folder };
}

it('a preview reads a part of each table, and nothing again that it knows', async () => {
  const { path, counts, opened, decisions, folder } = await largeScene();
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
  const card = cards.find(({ options }) => options.length > 1)!;
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

it('an answer reads no rows, and those that were shown under it are shown as they are without reading them again', async () => {
  const { path, counts, opened, decisions, folder } = await largeScene();
  const facts = (version: string) => ({
    ...{ exports: [path], source: undefined, workspace: undefined, unread: [], plan: null, counted: null, version },
    ...{ mapping: join(folder, 'm.yaml'), store: join(folder, 'chatferry.db'), config: join(folder, 'c.yaml') },
  });
  const preview = (version: string, card: string, answer: number) =>
    decisions.preview(opened, { facts: facts(version), card, answer, text: null, signal: never });
  const decide = (version: string, card: string, answer: number) => {
    const { mapping, config } = facts(version);
    const call = {
      ...facts(version),
      card,
      answers: [answer],
      text: undefined,
      values: {},
      named: { mapping, config },
    };
    return decisions.answer(opened, call, never);
  };
  const card = (await decisions.cards(opened, facts('1'))).find(({ options }) => options.length > 1)!.id;
  await decide('1', card, 0);
  expect(counts.entries).toBe(0);
  const before = await preview('2', card, 1);
  const { entries } = counts;
  await decide('2', card, 1);
  const after = await preview('3', card, -1);
  expect([after.rows, after.why]).toEqual([before.rows, null]);
  expect(counts.entries).toBe(entries);
  expect((await preview('3', card, 0)).rows).not.toEqual(after.rows);
});
