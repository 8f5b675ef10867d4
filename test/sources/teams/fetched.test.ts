import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { teams } from '../../../src/sources/teams/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const folder = 'samples/teams/fetched/export';
const linesOf = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
const replies = 'replies-19%3Ageneral0001@thread.tacv2-1772445800000.ndjson';
const read = (files: Readonly<Record<string, string>>) => readAll(teams, memoryInput(files));
const originsOf = async (files: Readonly<Record<string, string>>) =>
  messagesOf(await read(files))
    .map(({ origin, threadRoot }) => JSON.stringify({ origin, threadRoot }))
    .sort();
const text = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Keys as the export of a tenant has them. */
function raised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(raised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.slice(0, 1).toUpperCase() + key.slice(1), raised(inner)]),
  );
}

const threads = linesOf('channelMessages.ndjson');
const inThread = threads.flatMap(({ replies: inside }) => inside as readonly object[]);
const flat = [...threads.map(({ replies: _, ...row }) => row), ...inThread, ...linesOf(replies)];
const whole = { 'channelMessages.ndjson': text(threads), [replies]: text(linesOf(replies)) };

it('a message has one identity: in lines, in pages, with its answers in it or behind it, and in the export of a tenant', async () => {
  const wanted = await originsOf(whole);
  expect(wanted.length).toBe(4);
  expect(await originsOf({ 'page.json': JSON.stringify({ value: flat }) })).toEqual(wanted);
  expect(
    await originsOf({
      'page.json': JSON.stringify({
        value: [{ ...threads[0], replies: [...inThread, ...linesOf(replies)] }, threads[1]],
      }),
    }),
  ).toEqual(wanted);
  const tenant = 'teams/x/messages_bbbbbbbb-0000-4000-8000-000000000001.json';
  expect(await originsOf({ [tenant]: JSON.stringify(raised(flat)) })).toEqual(wanted);
});

it('answers behind an address are missing unless a file has them', async () => {
  const codesOf = async (files: Readonly<Record<string, string>>) =>
    (await read(files)).flatMap((entry) =>
      entry.type === 'problem' && entry.code === 'teams-more-rows' ? [entry.code] : [],
    );
  expect(await codesOf(whole)).toEqual([]);
  expect(await codesOf({ 'channelMessages.ndjson': text(threads) })).toEqual(['teams-more-rows']);
  const other = replies.replace('general', 'another');
  expect(await codesOf({ 'channelMessages.ndjson': text(threads), [other]: text(linesOf(replies)) })).toEqual([
    'teams-more-rows',
  ]);
});

it('people of a file whose name is no address belong to nobody', async () => {
  const [member] = linesOf('teamMembers_bbbbbbbb-0000-4000-8000-000000000001.ndjson');
  const entries = await read({ 'chatMembers_%E0%A4%A.ndjson': text([{ ...member, id: 'x' }]), ...whole });
  expect(entries.filter((entry) => entry.type === 'record' && entry.record.kind === 'user').length).toBe(1);
});
