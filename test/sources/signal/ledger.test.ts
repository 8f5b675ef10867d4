import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { signal } from '../../../src/sources/signal/index.ts';
import { readAll } from '../../contracts/source.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn, missingWords } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everything = `
messages: { system: keep, calls: keep, deleted: keep }
source: { zone: UTC }`;

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'when it was sent: the instant of the payload': [
    'dateSent',
    'sent_at',
    'timestamp',
    'received_at_ms',
    'received_at',
    'date',
  ],
  'when it came, and how far: counted by file': ['incoming.*', 'outgoing.*'],
  'ids of the file, for people and chats who are kept by others': [
    ...[
      'chatId',
      'authorId',
      'conversationId',
      'voterId',
      'startedCallRecipientId',
      'callId',
      'quote.targetSentTimestamp',
    ],
    ...['updaterAci', 'newMemberAci', 'mentionAci', 'sourceServiceId', 'quote.id', 'quote.authorAci', 'id', 'fromId'],
  ],
  'where a style or a mention is: it is set there': ['start', 'length', 'style'],
  'the quoted message, which the payload names': [
    'quote.text',
    'quote.text.body',
    'quote.type',
    'quote.text.bodyRanges[].*',
  ],
  'where a file lies, and how it is opened': [
    'encryptedDigest',
    'plaintextHash',
    'path',
    'localKey',
    'version',
    'wasDownloaded',
    'width',
    'height',
  ],
  'what a row is: its text says so': [
    'type',
    'direction',
    'state',
    'flag',
    'flags',
    'callMode',
    'contactMessage.contact.number[].type',
  ],
  'keys of stickers and pins': ['packId', 'packKey', 'stickerId', 'sticker.id', 'sticker.extension', 'pinDetails.*'],
  'when somebody reacted, and the order': [
    'reactions[].sentTimestamp',
    'reactions[].sortOrder',
    'reactions[].timestamp',
    'targetTimestamp',
  ],
  'how often somebody changed a vote': ['voteCount'],
  'of the database alone': ['schemaVersion'],
  'how long until messages vanish: seconds in the text': ['expiresInMs'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  previews: ['linkPreview[].url', 'linkPreview[].title', 'preview[].url'],
  edited: ['revisions[].*', 'editHistory[].*', 'editMessageTimestamp'],
  calls: ['startedCallTimestamp', 'endedCallTimestamp', 'call', 'missed'],
  custom: ['callHistoryDetails.*', 'expirationTimerUpdate.*', 'sms', 'allowMultiple', 'hasEnded', 'missed'],
  filesWithoutAddress: ['contentType', 'size', 'isViewOnce'],
  deleted: ['deleted', 'deletedForEveryone'],
};

async function balanceOf(sample: string) {
  const folder = `samples/signal/${sample}/export`;
  const [input] = await openExport([folder]);
  const entries = await readAll(signal, input!, {}, { zone: 'UTC' });
  await input!.close();
  const { rows: planned } = await planOf(home.make(), folder, everything);
  const rows = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.type !== 'record' || entry.record.kind !== 'message' || /\.md$/.test(entry.location.path)) continue;
    const { conversation, id } = entry.record.origin;
    rows.set(`${conversation} ${id}`, rawRow(folder, entry.location));
  }
  const read = planned.filter(({ conversation, id }) => rows.has(`${conversation} ${id}`));
  return { missing: missingIn({ rows, planned: read, meaningless, losses }), count: read.length, planned };
}

function rawRow(folder: string, { path, line, pointer }: { path: string; line?: number; pointer?: string }): unknown {
  const text = readFileSync(join(folder, path), 'utf8');
  if (pointer !== undefined) return (JSON.parse(text) as unknown[])[Number(pointer.slice(1))];
  const row = JSON.parse(text.split('\n')[line! - 1]!) as { chatItem?: unknown };
  return row.chatItem ?? row;
}

describe('the plan and losses of Signal exports', () => {
  // Nothing is left of a message that was deleted: one in each is not sent.
  it.each([
    ['plain-text-export', 25],
    ['signal-export', 6],
    ['sigtop', 12],
  ])('account for every value of the sample %s', async (sample, expected) => {
    const { missing, count } = await balanceOf(sample);
    expect([missing, count]).toEqual([{}, expected]);
  });

  it('account for every word of Markdown that people see', async () => {
    const { planned } = await balanceOf('signal-export');
    const marks = /^\[[^\]]*\] |\]\(\.\/media\/[^)]*\)|No-Sender/gm;
    const chats = { 'Tomasz Brandt': 'Tomasz Brandt/chat.md', 'Pier talk': 'Pier talk/index.md' };
    const rows = new Map<string, string>();
    for (const [name, path] of Object.entries(chats)) {
      const text = readFileSync(join('samples/signal/signal-export/export', path), 'utf8');
      const pieces = text.split(/^(?=\[\d{4}-)/m).filter((piece) => !piece.includes('(This message was deleted)'));
      const ofChat = planned.filter(({ conversation }) => conversation === name);
      expect(ofChat.length).toBe(pieces.length);
      for (const [index, row] of ofChat.entries()) rows.set(`${name} ${row.id}`, pieces[index]!.replace(marks, ' '));
    }
    expect(
      missingWords(
        rows,
        planned.filter(({ conversation }) => Object.hasOwn(chats, conversation)),
      ),
    ).toEqual({});
  });
});
