import { describe, expect, it } from 'vitest';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { sendbird } from '../../../src/sources/sendbird/index.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

type Files = Parameters<typeof memoryInput>[0];

const ines = { _id: 'ines', username: 'ines' };
const row = (id: string) => ({
  _id: id,
  rid: 'GENERAL',
  msg: 'Hi',
  u: ines,
  ts: { $date: '2026-03-02T09:15:00.000Z' },
});
const room = (id: string, last: string) => ({ _id: id, t: 'c', name: id, lastMessage: row(last) });
const lines = (...rows: object[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('');

const sendbirdRow = { message_id: 7, type: 'MESG', message: 'Hi', created_at: 1772442000123, channel_url: 'c1' };
const channels = (id: number) => ({
  channels: [{ channel_url: 'c1', custom_type: '', cover_url: '', last_message: { ...sendbirdRow, message_id: id } }],
});

const graphRow = (chatId: string) => ({
  id: '1772445699000',
  messageType: 'message',
  createdDateTime: '2026-03-02T10:01:39.000Z',
  chatId,
  from: { user: { id: 'ines', displayName: 'Ines' } },
  body: { contentType: 'text', content: 'Hi' },
});
const chat = (id: string) => ({
  ...{ id, chatType: 'group', createdDateTime: '2026-03-02T09:00:00Z', lastUpdatedDateTime: '2026-03-02T10:00:00Z' },
  lastMessagePreview: { id: '1772445699000' },
});

async function missingIn(adapter: SourceAdapter, files: Files, wants?: (path: string) => boolean) {
  const entries = await readAll(adapter, memoryInput(files), wants && { wants });
  return entries.flatMap((entry) =>
    entry.type === 'problem' && entry.code === 'export-is-partial' ? [entry.reason] : [],
  );
}

const of = (id: string, where: string) =>
  `The room list has last messages that no file of messages has: "${id}" of "${where}"`;

describe('the copy of a last message that a list of rooms has', () => {
  it('is asked about if no file has the message', async () => {
    const rooms = lines(room('GENERAL', 'm2'), room('PIER', 'm9'));
    const files = { 'rocketchat_room.json': rooms, 'rocketchat_message.json': lines(row('m1'), row('m2')) };
    expect(await missingIn(rocketchat, files)).toEqual([of('m9', 'PIER')]);
    const messages = { 'messages.json': { messages: [{ ...sendbirdRow, user: { user_id: 'ines' } }] } };
    expect(await missingIn(sendbird, { ...messages, 'channels.json': channels(8) })).toEqual([of('8', 'c1')]);
    expect(await missingIn(sendbird, { ...messages, 'channels.json': channels(7) })).toEqual([]);
  });

  it('is not asked about if the export has no file of messages: a plan then says that nothing was read', async () => {
    expect(await missingIn(rocketchat, { 'rocketchat_room.json': lines(room('GENERAL', 'm2')) })).toEqual([]);
    expect(await missingIn(sendbird, { 'channels.json': channels(8) })).toEqual([]);
  });

  it('belongs to its chat alone if ids are unique only within a chat', async () => {
    const [night, day] = ['19:night@thread.v2', '19:day@thread.v2'];
    const files = { 'chats.json': { value: [chat(night), chat(day)] }, 'messages.json': { value: [graphRow(night)] } };
    expect(await missingIn(teams, files)).toEqual([of('1772445699000', day)]);
  });

  it('names three rooms of many', async () => {
    const rooms = lines(...[1, 2, 3, 4, 5].map((one) => room(`r${one}`, `m${one}`)));
    const files = { 'rocketchat_room.json': rooms, 'rocketchat_message.json': lines(row('m5')) };
    expect(await missingIn(rocketchat, files)).toEqual([`${of('m1', 'r1')}, "m2" of "r2", "m3" of "r3", …`]);
  });

  it('is not asked about if a row with the message cannot be read', async () => {
    const files = {
      'rocketchat_room.json': lines(room('GENERAL', 'm2')),
      'rocketchat_message.json': `${lines(row('m1'))}{"_id":\n`,
    };
    expect(await missingIn(rocketchat, files)).toEqual([]);
  });

  it('is not asked about by a run that reads a part of the files', async () => {
    const files = { 'rocketchat_room.json': lines(room('GENERAL', 'm2')), 'rocketchat_message.json': lines(row('m1')) };
    expect(await missingIn(rocketchat, files, () => false)).toEqual([]);
  });
});
