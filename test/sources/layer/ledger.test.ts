import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time is in the message, in other words': ['sent_at'],
  'ids with a prefix, and what is made of them': ['id', 'conversation.url', 'sender.url', 'url'],
  'orders messages': ['position'],
  'the media type and size of a file are in the list of files': ['parts[].mime_type', 'content.size'],
  'of a text that is in the message': ['parts[].encoding'],
  'for the client of Layer': ['content.refresh_url', 'content.expiration'],
  'of a person whom the list of conversations describes': ['sender.avatar_url'],
};

/** Counted as `layer-not-migrated`, or decoded. */
const counted = { counted: ['recipient_status.*'], decoded: ['parts[].body'] };

interface Row {
  readonly id: string;
  readonly conversation: { readonly id: string };
}

const samples: Readonly<Record<string, readonly [path: string, rows: (text: string) => readonly Row[]]>> = {
  historical: [
    'historical/export.json',
    (text) => (JSON.parse(text) as { readonly messages: readonly Row[] }).messages,
  ],
  answers: ['answers/export/harbour.json', (text) => JSON.parse(text) as readonly Row[]],
};

async function balanceOf(sample: string, more: object) {
  const [path, rows] = samples[sample]!;
  const from = `samples/layer/${path.includes('/export/') ? path.replace(/\/[^/]+$/, '') : path}`;
  const { rows: planned } = await planOf(home.make(), from, 'messages: { system: keep }');
  const last = (id: string) => id.split('/').at(-1);
  const byId = new Map(
    rows(readFileSync(`samples/layer/${path}`, 'utf8')).map((row) => [
      `${last(row.conversation.id)} ${last(row.id)}`,
      { ...row, ...more },
    ]),
  );
  return missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...counted }, losses: {} });
}

describe('the totals of an export of Layer', () => {
  it.each(Object.keys(samples))('account for every value of the sample %s', async (sample) => {
    expect(await balanceOf(sample, {})).toEqual({});
  });

  it('miss a value that is nowhere', async () => {
    expect(await balanceOf('historical', { colour: 'mauve' })).toEqual({ colour: 6 });
  });
});
