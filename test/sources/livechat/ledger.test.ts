import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the author has a kind in front of the id': ['author_id'],
  'times of the event': ['created_at'],
  'says what kind of event it is, and to whom it is shown': ['type', 'visibility', 'fields[].type', 'template_id'],
  'ids of forms, their fields and their choices, whose words are kept': [
    ...['form_id', 'fields[].id', 'fields[].answer.id', 'fields[].answers[].id'],
  ],
  'in the text already': ['text_vars.*'],
  'for the screen: small pictures, and sizes in pixels': [
    ...['thumbnail_url', 'thumbnail2x_url', 'width', 'height', 'elements[].image.width', 'elements[].image.height'],
  ],
  'the id of the rich message names its thread': ['postback.thread_id'],
  'of the system that made the event': ['source', 'version'],
};

const losses = {
  menus: ['elements[].buttons[].*'],
  cardDetails: ['elements[].image.alternative_text'],
  appData: ['details', 'content.*', 'properties.*'],
  deleted: ['deleted'],
  quotes: ['postback.event_id'],
};

const folder = 'samples/livechat/answers/export';

interface Thread {
  readonly events: readonly { readonly id: string }[];
}
const answer = <T>(path: string) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8')) as T;

function rowsIn(): (readonly [string, object])[] {
  const archives = ['archives-1.json', 'archives-2.json'].flatMap(
    (path) => answer<{ readonly chats: readonly { readonly id: string; readonly thread: Thread }[] }>(path).chats,
  );
  const lone = answer<{ readonly threads: readonly Thread[] }>('threads/PN2MRSHTDG.json').threads;
  const chats = [...archives, ...lone.map((thread) => ({ id: 'PN2MRSHTDG', thread }))];
  return chats.flatMap(({ id, thread }) => thread.events.map((event) => [`${id} ${event.id}`, event] as const));
}

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('livechat-not-migrated');
  const rows = new Map(rowsIn().map(([key, row]) => [key, change(row)]));
  return { missing: missingIn({ rows, planned, meaningless, losses }), planned: planned.length };
}

describe('the totals of an export of LiveChat', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 16 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 16 });
  });
});
