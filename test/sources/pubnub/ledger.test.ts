import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const sample = 'samples/pubnub/chat-sdk';
const settings = `source: { channels: { members/of-seven.json: direct.7 } }\nmessages: { system: keep, deleted: keep }`;

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'says that it is a message, or one with a file': ['message_type', 'message.type', 'message.message.type'],
  'an edit that a later one replaces': ['actions.edited.Berth eight[].*'],
  'the text before the edit': ['message.text'],
  'the time of an action, which has no field': ['actions.*'],
  'quotes the message that is named': [
    'meta.quotedMessage.text',
    'meta.quotedMessage.timetoken',
    'meta.quotedMessage.userId',
  ],
  'the id of a file, whose address is kept': ['message.files[].id', 'message.file.id'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['custom_message_type', 'meta.*'],
  encrypted: ['message'],
};

type Row = Readonly<Record<string, unknown>> & { readonly timetoken: string };

function rowsIn(name: string): (readonly [string, Row])[] {
  const { channels } = JSON.parse(readFileSync(`${sample}/export/${name}`, 'utf8')) as {
    readonly channels: Readonly<Record<string, readonly Row[]>>;
  };
  return Object.entries(channels).flatMap(([channel, rows]) =>
    rows.map((row) => [`${decodeURIComponent(channel)} ${row.timetoken}`, row] as const),
  );
}

const balanceOf = async (more: object) => {
  const { rows: planned } = await planOf(home.make(), `${sample}/export`, settings);
  const rows = ['harbour-1.json', 'harbour-2.json']
    .flatMap(rowsIn)
    .map(([key, row]) => [key, { ...row, ...more }] as const);
  const byKey = new Map(rows);
  const own = planned.filter(({ conversation, id }) => byKey.has(`${conversation} ${id}`));
  return { missing: missingIn({ rows: byKey, planned: own, meaningless, losses }), planned: own.length };
};

describe('the totals of an export of PubNub', () => {
  it('account for every value of the sample chat-sdk', async () => {
    expect(await balanceOf({})).toEqual({ missing: {}, planned: 7 });
  });

  it('miss a value that is nowhere', async () => {
    expect((await balanceOf({ colour: 'mauve' })).missing).toMatchObject({ colour: 7 });
  });
});
