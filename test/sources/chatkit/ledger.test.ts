import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time is in the message, in other words': ['created_at', 'updated_at'],
  'names the kind of a part': ['part_type', 'attachment.type'],
  'the size of a file is in the list of files': ['payload.size', 'attachment.size'],
  'the media type of a text says nothing': ['parts[].payload.type', 'parts[].type'],
  'for the client of Chatkit': ['refresh_url', 'expiration', 'attachment.id'],
};

type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly room_id: string };

const rowsOf: Readonly<Record<string, () => readonly Row[]>> = {
  'data-export': () =>
    readFileSync('samples/chatkit/data-export/export/export/messages.ndjson', 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row),
  'api-answers': () =>
    JSON.parse(readFileSync('samples/chatkit/api-answers/export/harbour.json', 'utf8')) as readonly Row[],
};

async function balanceOf(sample: string, more: object) {
  const { rows: planned } = await planOf(home.make(), `samples/chatkit/${sample}/export`, 'messages: { system: keep }');
  const byId = new Map(rowsOf[sample]!().map((row) => [`${row.room_id} ${row.id}`, { ...row, ...more }]));
  return missingIn({ rows: byId, planned, meaningless, losses: {} });
}

describe('the totals of an export of Chatkit', () => {
  it.each(Object.keys(rowsOf))('account for every value of the sample %s', async (sample) => {
    expect(await balanceOf(sample, {})).toEqual({});
  });

  it('miss a value that is nowhere', async () => {
    expect(await balanceOf('data-export', { colour: 'mauve' })).toEqual({ colour: 5 });
  });
});
