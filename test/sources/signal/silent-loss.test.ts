import { expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { signal } from '../../../src/sources/signal/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const row = (second: string, body: string) =>
  `${JSON.stringify({
    ...{ date: `2026-02-02T03:40:${second}`, sender: 'Ann', body, quote: '', sticker: null },
    ...{ reactions: [], attachments: [], deleted: false, call: false, missed: false },
  })}\n`;

it('messages that a second run of signal-export has appended have the ids of the first run', async () => {
  const once = row('01.123000', 'one') + row('02.123000', 'two');
  const twice = memoryInput({ 'Ann/data.json': once + once + row('03.123000', 'three') });
  const ids = messagesOf(await readAll(signal, twice)).map(({ origin }) => origin.id);
  expect(ids).toHaveLength(5);
  expect(ids.slice(2, 4)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(3);
});

it('the same is true for text, whose times are whole seconds, if the chat begins again', async () => {
  const line = (time: string, text: string) => `[2026-02-02, 03:40:${time}] Ann: ${text}  \n`;
  const once = line('01', 'one') + line('01', 'one') + line('02', 'two');
  const ids = messagesOf(await readAll(signal, memoryInput({ 'Ann/chat.md': once + once }))).map(
    ({ origin }) => origin.id,
  );
  expect(ids).toHaveLength(6);
  expect(ids.slice(3)).toEqual(ids.slice(0, 3));
  expect(new Set(ids).size).toBe(3);
});

it("rows of Desktop without text, time and chat are a chat that cannot be read, and Signal's own export is named", async () => {
  const hollow = { sendStateByConversationId: {}, bodyRanges: [], hasAttachments: 0, preview: [], reactions: [] };
  const input = memoryInput({ 'Tom (+4915).json': [hollow, hollow] });
  expect((await signal.probe(input)).match).toBe('certain');
  expect(await readAll(signal, input)).toEqual([
    expect.objectContaining({ role: 'unknown', isChat: true, reason: expect.stringContaining('of Signal itself') }),
  ]);
});
