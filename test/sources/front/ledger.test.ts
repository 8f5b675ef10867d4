import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep, calls: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'who wrote it is a person, described beside it': ['author.*', 'recipients[].*'],
  'times of the row': ['created_at', 'posted_at'],
  'says what kind of message it is, and to whom it is shown': ['is_inbound', 'is_draft', 'draft_mode', 'error_type'],
  'the beginning of the text, or the same as plain text': ['blurb', 'text'],
  'of the version that is kept': ['message_uid', 'version'],
  'counted as not migrated': ['signature.*', 'metadata.*'],
  'whether it is shown in the text': ['attachments[].metadata.is_inline'],
  'addresses of the API': ['_links.self', '_links.related.*'],
};

const losses = { attachments: ['attachments[].id'] };

const folder = 'samples/front/answers/export';
const conversations: Readonly<Record<string, string>> = {
  'messages/b.json': 'cnv_8b',
  'messages/c.json': 'cnv_9c',
};

interface Row {
  readonly id: string;
  readonly body: string;
}

/** HTML as a reader sees it. */
const seen = (html: string) => html.replace(/<a href="([^"]*)">/g, ' $1 ').replace(/<[^>]*>|&amp;/g, ' ');

const rows = (): (readonly [string, object])[] =>
  ['messages', 'comments'].flatMap((kind) =>
    readdirSync(`${folder}/${kind}`).flatMap((name) => {
      const text = readFileSync(`${folder}/${kind}/${name}`, 'utf8');
      const { _results } = JSON.parse(text) as { readonly _results: readonly Row[] };
      const conversation = conversations[`${kind}/${name}`] ?? 'cnv_7a';
      return _results.map((row) => [`${conversation} ${row.id}`, { ...row, body: seen(row.body) }] as const);
    }),
  );

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('front-not-migrated');
  const raw = new Map(rows().map(([key, row]) => [key, change(row)]));
  return { missing: missingIn({ rows: raw, planned, meaningless, losses }), planned: planned.length };
}

describe('the totals of an export of Front', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 13 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 13 });
  });
});
