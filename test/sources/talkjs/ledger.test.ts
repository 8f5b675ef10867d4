import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const folder = 'samples/talkjs/rest-answers/export';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time is in the message, in other words': ['createdAt', 'editedAt'],
  'names the kind of a row, a block or a node': ['type', 'content[].subtype'],
  'for the client of TalkJS': ['content[].fileToken', 'content[].duration'],
  'names the message, whose reply is a quote': ['referencedMessageId'],
  'says that it was written in the chat': ['origin'],
  'the size of a file is in the list of files': ['attachment.size', 'content[].size'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row, or `talkjs-not-migrated`. */
const losses: Readonly<Record<string, readonly string[]>> = { custom: ['custom.*'], reactions: ['reactions.*'] };
const notMigrated = { counted: ['readBy[]*'] };

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly conversationId: string };

async function balanceOf(more: object) {
  const rows = ['harbour.json', 'order-7.json'].flatMap(
    (file) => (JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { readonly data: readonly Row[] }).data,
  );
  const { rows: planned } = await planOf(home.make(), folder, 'messages: { system: keep }');
  const byId = new Map(rows.map((row) => [`${row.conversationId} ${row.id}`, { ...row, ...more }]));
  return missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses });
}

describe('the totals of an export of TalkJS', () => {
  it('account for every value of the sample rest-answers', async () => {
    expect(await balanceOf({})).toEqual({});
  });

  it('miss a value that is nowhere', async () => {
    expect(await balanceOf({ colour: 'mauve' })).toEqual({ colour: 12 });
  });
});
