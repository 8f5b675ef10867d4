import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { type MessageRecord, messageSchema } from '../../../src/model/records.ts';
import { slack } from '../../../src/sources/slack/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';

const folder = sharedFolder('exports/slack');
const tally = (values: Iterable<string>) => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

describe.skipIf(folder === null)('published Slack exports', () => {
  it('reads all 1,382 rows of a workspace of 2016', async () => {
    const [input] = await openExport([`${folder}/workspace-2016`]);
    const entries = await readAll(slack, input!);
    const counts = tally(entries.map((entry) => (entry.type === 'record' ? entry.record.kind : entry.type)));
    const messages = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
    );
    // Details of profiles: titles, Skype names, time zones.
    expect(counts).toEqual({ user: 72, conversation: 16, message: 1382, file: 380, problem: 3 });
    expect(tally(messages.map(({ systemEvent }) => systemEvent ?? 'message'))).toEqual({
      message: 964 + 61 + 6,
      channel_join: 320,
      channel_purpose: 13,
      channel_archive: 9,
      channel_leave: 3,
      channel_topic: 2,
      channel_name: 2,
      pinned_item: 1,
      bot_add: 1,
    });
    expectHonestRecords(messages);
    expect(new Set(messages.map(({ origin }) => origin.workspace))).toEqual(new Set(['T061A2UFL']));
    expect(messages.filter(({ attachments }) => attachments).length).toBe(61);
    expect(messages.filter(({ edited }) => edited).length).toBe(37);
    expect(messages.filter(({ reactions }) => reactions).length).toBe(89);
    expect(messages.filter(({ custom }) => custom?.commentOnFile).length).toBe(6);
    expect(messages.filter(({ isPinned }) => isPinned).length).toBe(1);
  });

  it('reads messages with many files, rich text and a broadcast reply', async () => {
    const file = (name: string) =>
      JSON.parse(readFileSync(`${folder}/single-messages/${name}.json`, 'utf8')) as unknown;
    const entries = await readAll(
      slack,
      memoryInput({
        'channels.json': [{ id: 'C1', name: 'random' }],
        'random/2015-06-12.json': file('thread_with_broadcast_reply'),
        'random/2026-03-04.json': [file('message_with_variety_files_and_rich_text')],
      }),
    );
    const messages = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
    );
    expectHonestRecords(messages);
    expect(messages.map(({ text, threadRoot, isBroadcast }) => [text, threadRoot, isBroadcast])).toEqual([
      ['thread message', undefined, undefined],
      ['first reply', '1434139102.000002', undefined],
      ['everyone should see this', '1434139102.000002', true],
      ['message with **files  @U074VRHQ11T** \nWeekly Sync', undefined, undefined],
    ]);
    expect(messages[3]?.attachments?.map(({ name }) => name)).toEqual(['Weekly Sync', 'channels.json']);
  });
});

/** They fit the model, each identity comes once, and no markup of Slack is left in the text. */
function expectHonestRecords(messages: readonly MessageRecord[]): void {
  for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
  expect(new Set(messages.map(({ origin }) => `${origin.conversation} ${origin.id}`)).size).toBe(messages.length);
  const leftovers = messages.filter(({ text }) => /<[@#!]|<https?:|&amp;/.test(text.replace(/`+[^`]*`+/g, '')));
  expect(leftovers.map(({ text }) => text)).toEqual([]);
}
