import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { instagram, messenger } from '../../../src/sources/meta/index.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the instant, which the payload has as seconds': ['timestamp_ms', 'timestamp'],
  'somebody whose uid is kept': ['reactions[].actor'],
  'when the file was put on the server': ['creation_timestamp'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  reactions: ['reactions[].timestamp'],
  filesWithoutAddress: ['uri'],
  custom: ['type', 'missed', 'users[].name', 'bumped_message_metadata.*'],
  calls: ['type', 'call_duration', 'missed'],
  system: ['type'],
  deleted: ['is_unsent', 'isUnsent'],
};

/** Says no more than the row itself. */
const plain = ['Generic', 'Share', 'text', 'media', 'link'];

/** As people wrote it, by other means than the program's. */
const readable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    if (key === 'type' && plain.includes(inner as string)) return null;
    if (typeof inner !== 'string' || /[^\0-\u00ff]/.test(inner)) return inner;
    const text = Buffer.from(inner, 'latin1').toString('utf8');
    return text.includes('\ufffd') ? inner : text;
  });

async function balanceOf(folder: string) {
  const [input] = await openExport([folder]);
  const [source] = (await messenger.probe(input!)).match === 'no' ? [instagram] : [messenger];
  const entries = await readAll(source, input!);
  await input!.close();
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
    const { messages } = JSON.parse(readFileSync(join(folder, entry.location.path), 'utf8')) as { messages: unknown[] };
    const { conversation, id } = entry.record.origin;
    rows.set(`${conversation} ${id}`, readable(messages[Number(entry.location.pointer!.split('/').at(-1))]));
  }
  return { missing: missingIn({ rows, planned, meaningless, losses }), planned: planned.length, rows: rows.size };
}

const exports = sharedFolder('exports');

describe('the plan and losses of Meta downloads', () => {
  it.each([
    ['messenger/download', 19],
    ['messenger/older-folders', 7],
    ['messenger/encrypted', 9],
    ['instagram/download', 11],
    ['instagram/older-folders', 2],
  ])('account for every value of the sample %s', async (name, count) => {
    const { missing, planned } = await balanceOf(`samples/${name}/export`);
    expect([missing, planned]).toEqual([{}, count]);
  });

  it.skipIf(exports === null).each([
    ['messenger/layouts/json_simple', 4],
    ['messenger/layouts/json_nontext', 6],
    ['messenger/layouts/json_with_media', 1],
    ['messenger/layouts/e2ee_simple', 6],
    ['instagram/one', 2],
    ['instagram/two', 7],
  ])('account for every value of the published %s', async (name, count) => {
    const { missing, planned } = await balanceOf(join(exports!, name));
    expect([missing, planned]).toEqual([{}, count]);
  });
});
