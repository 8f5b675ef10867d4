import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ChangedConversations, ConversationsPage, ReportView } from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

async function counted(...exports: readonly string[]) {
  const folder = home.make();
  const desk = await openDesk(exports, folder);
  await desk.counted();
  const page = (search: Readonly<Record<string, string>> = {}) =>
    desk.ask<ConversationsPage>(`conversations?${new URLSearchParams(search)}`);
  const set = (about: object, change: object) =>
    desk.change<ChangedConversations>('conversations', { about, ...change, by: 'Ana' });
  const mapping = () => parse(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).conversations;
  const planned = async () => {
    expect(await run(['plan', slack], { folder })).toMatchObject({ code: 0 });
    return (await desk.ask<ReportView>('report')).report!.conversations;
  };
  return { ...desk, page, set, mapping, planned };
}

/** CSV of many chats: chat N has N % 7 + 1 messages, a day between two of them. */
function writeChats(path: string, count: number): void {
  const lines = ['id,conversation,sender,text,sent_at'];
  for (let chat = 0; chat < count; chat++)
    for (let at = 0; at <= chat % 7; at++) {
      const time = new Date(Date.UTC(2024, 0, 1 + at * 30, 8, 0, chat % 60)).toISOString();
      lines.push(`${chat}-${at},room-${chat},user-${chat % 11},"Text ${at} of ${chat}",${time}`);
    }
  writeFileSync(path, `${lines.join('\n')}\n`);
}

describe('conversations of the desk', () => {
  it('are listed once the export is counted, before any plan, by the number of their messages', async () => {
    const { page } = await counted(slack);
    const found = await page();
    expect(found).toMatchObject({ state: 'ready', count: 8, listed: 8, found: 8, moved: 8, next: null, olderThan: '' });
    expect(found.rows.slice(0, 2)).toMatchObject([
      { id: 'C05GENERAL', name: 'general', type: 'public', members: 5, messages: 15 },
      { id: 'C05DESIGN1', name: 'design', type: 'public', members: 3, messages: 7 },
    ]);
    // Those without a name are called by their members.
    expect(found.rows.map(({ title }) => title)).toContain('Ines, Tomasz');
    const bins = found.rows.map((row) => row.bins);
    expect(new Set(bins.map(({ length }) => length)).size).toBe(1);
    expect(found.rows.map((row) => row.bins.reduce((sum, count) => sum + count, 0))).toEqual(
      found.rows.map(({ messages }) => messages),
    );
    expect(found.messages).toBe(35);
  });

  it('are found by name, id and type, and sorted by each column in both directions', async () => {
    const { page } = await counted(slack);
    expect((await page({ search: 'GENER' })).rows.map(({ id }) => id)).toEqual(['C05GENERAL']);
    expect((await page({ search: 'c05design' })).rows.map(({ name }) => name)).toEqual(['design']);
    const direct = await page({ type: 'direct' });
    expect([direct.found, direct.count]).toEqual([2, 8]);
    for (const order of ['messages', 'name', 'type', 'members', 'first', 'last']) {
      const ids = async (isReversed: string) => (await page({ order, isReversed })).rows.map(({ id }) => id);
      const up = await ids('false');
      expect([order, up.toSorted()]).toEqual([order, (await ids('true')).toSorted()]);
    }
    const by = async (order: string, isReversed = 'false') => (await page({ order, isReversed })).rows;
    expect((await by('name')).at(-1)).toMatchObject({ name: 'quiet-corner' });
    expect((await by('name', 'true'))[0]).toMatchObject({ name: 'quiet-corner' });
    expect((await by('first'))[0]).toMatchObject({ name: 'beach-days' });
    // One without messages is last in both directions.
    for (const isReversed of ['false', 'true'])
      expect((await by('first', isReversed)).at(-1)).toMatchObject({ messages: 0, firstAtMs: null });
  });

  it('are left out, renamed, closed and given an owner; the next plan does so, and it is taken back', async () => {
    const { page, set, mapping, planned, change } = await counted(slack);
    const { status, answer } = await set({ id: 'C05GENERAL' }, { isExcluded: true });
    expect([status, answer.row]).toEqual([200, expect.objectContaining({ id: 'C05GENERAL', isExcluded: true })]);
    expect(answer.undo).toBe('general: left out');
    await set({ id: 'C05DESIGN1' }, { rename: 'The harbour: all of it', access: 'private', owner: 'u05ines' });
    expect(mapping()).toMatchObject({
      exclude: ['C05GENERAL'],
      rename: { C05DESIGN1: 'The harbour: all of it' },
      types: { C05DESIGN1: 'private' },
      owners: { C05DESIGN1: 'u05ines' },
    });
    expect(await page()).toMatchObject({ moved: 7, movedMessages: 20 });
    expect((await planned()).find(({ id }) => id === 'C05GENERAL')).toMatchObject({ planned: 0 });
    await set({ id: 'C05DESIGN1' }, { rename: '', access: '', owner: '' });
    expect((await page({ search: 'design' })).rows[0]).toMatchObject({ rename: '', access: '', owner: '' });
    expect((await change('undo', {})).status).toBe(200);
    expect((await page({ search: 'design' })).rows[0]).toMatchObject({ access: 'private', owner: 'u05ines' });
    expect((await set({ id: 'none' }, { isExcluded: true })).status).toBe(422);
    expect((await set({ id: 'C05GENERAL' }, { isExcluded: 'yes' })).status).toBe(400);
  });

  it('that a name leaves out stay out when another one of that name is moved again', async () => {
    const path = join(home.make(), 'own.yaml');
    writeFileSync(path, 'conversations: { exclude: [general, gone, C05DESIGN1] }\n');
    const { page, set } = await counted(slack, '--mapping', path);
    const mapping = () => parse(readFileSync(path, 'utf8')).conversations;
    expect(await page({ show: 'left-out' })).toMatchObject({ found: 2, foundMoved: 0, moved: 6 });
    await set({ id: 'C05GENERAL' }, { isExcluded: false });
    expect(mapping().exclude).toEqual(['gone', 'C05DESIGN1']);
    await set({ search: 'e' }, { isExcluded: true });
    const { rows } = await page({ show: 'left-out' });
    expect(rows.length).toBeGreaterThan(2);
    await set({ id: rows[0]!.id }, { isExcluded: false });
    expect((await page({ show: 'left-out' })).rows).toEqual(rows.slice(1));
  });

  it('are moved or left out as the search finds them, as one change of thousands', async () => {
    const folder = home.make();
    const path = join(folder, 'chats.csv');
    writeChats(path, 10_000);
    const desk = await openDesk([path], folder);
    await desk.counted();
    const page = (search = '') => desk.ask<ConversationsPage>(`conversations?${search}`);
    const first = await page();
    expect(first).toMatchObject({ state: 'ready', count: 10_000, found: 10_000, moved: 10_000, next: '50' });
    expect(first.rows).toHaveLength(50);
    const next = await page('after=50');
    expect(first.rows.concat(next.rows).map(({ messages }) => messages)).toEqual(Array.from({ length: 100 }, () => 7));
    const set = (about: object, isExcluded: boolean) =>
      desk.change<ChangedConversations>('conversations', { about, isExcluded, by: 'Ana' });
    const { status, answer } = await set({ search: 'room-77' }, true);
    expect([status, answer]).toEqual([200, { row: null, undo: '111 conversations: left out' }]);
    expect(await page()).toMatchObject({ moved: 9_889 });
    expect(await page('search=ROOM-77')).toMatchObject({ found: 111, foundMoved: 0 });
    await set({ search: 'room-770' }, false);
    expect(await page('search=room-77&show=left-out')).toMatchObject({ found: 100 });
    expect((await set({ search: 'nothing has this' }, true)).status).toBe(422);
  });
});
