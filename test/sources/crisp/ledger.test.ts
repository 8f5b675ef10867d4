import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep }';
const folder = 'samples/crisp/answers/export';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'names the account, which is the same for all': ['website_id'],
  'times of the row': ['timestamp'],
  'says what kind of message it is, and which side wrote it': ['type', 'from', 'stamped', 'automated'],
  'says that it was written in the chat': ['origin'],
  'the author is described by a list, or next to the message': ['user.*', 'mentions[]'],
  'an event is said by its text': ['content.namespace'],
  'for the screen of the visitor': [
    'content.id',
    'content.required',
    'content.choices[].value',
    'content.choices[].selected',
  ],
  'kept as a mark, which the facts of the sample count': ['edited'],
  'kinds of references': ['references[].type'],
};

/** Counted by the name of the loss, or as `crisp-not-migrated`. */
const losses = {
  menus: ['content.choices[].*'],
  previews: ['preview[].*'],
  appData: ['properties.*'],
  cardDetails: ['content.duration'],
};
const notMigrated = { counted: ['read', 'delivered', 'original.*', 'ignored.*'] };

type Row = Readonly<Record<string, unknown>> & { readonly fingerprint: number; readonly session_id: string };

const files = ['session_a1/messages-1', 'session_a1/messages-2', 'session_b2/messages-1'];

async function missingAfter(more: object) {
  const rows = files.flatMap(
    (file) => (JSON.parse(readFileSync(`${folder}/conversation/${file}.json`, 'utf8')) as { data: Row[] }).data,
  );
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('crisp-not-migrated');
  const byId = new Map(rows.map((row) => [`${row.session_id} ${row.fingerprint}`, { ...row, ...more }]));
  return missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses });
}

describe('the totals of an export of Crisp', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter({})).toEqual({});
  });

  it('miss what is said nowhere', async () => {
    expect(await missingAfter({ colour: 'mauve' })).toEqual({ colour: 12 });
  });
});
