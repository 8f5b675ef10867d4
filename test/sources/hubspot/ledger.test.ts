import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'senders are described as people': ['senders[].*', 'createdBy'],
  'times of the row': ['createdAt', 'updatedAt'],
  'says what kind of row it is, and which way it went': ['type', 'direction', 'status.statusType', 'truncationStatus'],
  'of the desk, which has an id for each channel and app': ['channelId', 'channelAccountId', 'client.*'],
  'the kind of an attachment': ['attachments[].type', 'attachments[].fileUsageType'],
  'the id of a file, whose address is kept': ['attachments[].fileId'],
  'why it failed, for agents': ['status.failureDetails.*'],
};

/** Counted for the whole export, by the finding `hubspot-not-migrated`. */
const counted = ['recipients[].*'];
const losses = {
  menus: ['attachments[].quickReplies[].*', 'attachments[].allowUserInput'],
  appData: ['attachments[].mappedTemplateId'],
  deleted: ['archived'],
  quotes: ['inReplyToId'],
};

const folder = 'samples/hubspot/answers/export';

interface Message {
  readonly id: string;
  readonly conversationsThreadId: string;
  readonly richText?: string;
}

const rowsOf = (file: string): (readonly [string, object])[] => {
  const { results } = JSON.parse(readFileSync(`${folder}/messages/${file}.json`, 'utf8')) as {
    readonly results: readonly Message[];
  };
  return results.map((row) => [
    `${row.conversationsThreadId} ${row.id}`,
    { ...row, richText: row.richText?.replace(/<[^>]*>/g, ' ') ?? null },
  ]);
};

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toEqual(expect.arrayContaining(['hubspot-not-migrated', 'hubspot-truncated']));
  const rows = new Map(
    ['8243595013-1', '8243595013-2', '8243595014'].flatMap(rowsOf).map(([key, row]) => [key, change(row)]),
  );
  return {
    missing: missingIn({ rows, planned, meaningless: { ...meaningless, counted }, losses }),
    planned: planned.length,
  };
}

describe('the totals of an export of HubSpot', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 13 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 13 });
  });
});
