import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'who wrote it is a person, described beside it': ['customer.*', 'createdBy.*'],
  'times of the row': ['createdAt'],
  'says what kind of message it is, and to whom it is shown': ['type', 'state', 'source.via', 'action.type'],
  'the state and the agent of the conversation at that time': ['status', 'assignedTo.*'],
  'of the desk, which proposes replies': ['savedReplyId'],
  'counted as not migrated': ['cc[]', 'bcc[]', 'openedAt', 'action.text'],
  'the size of a picture': ['attachments[].width', 'attachments[].height'],
  'an address for programs, with a token': ['attachments[]._links.data.href'],
  'addresses of the API': ['_links.*'],
};

const losses = { filesWithoutAddress: ['_embedded.attachments[].*'], attachments: ['attachments[].id'] };

const folder = 'samples/helpscout/answers/export';

interface Thread {
  readonly id: number;
  readonly body: string | null;
}
type Answer = {
  readonly _embedded: {
    readonly threads?: readonly Thread[];
    readonly conversations?: readonly {
      readonly id: number;
      readonly _embedded: { readonly threads: readonly Thread[] };
    }[];
  };
};

const answerIn = (path: string) => (JSON.parse(readFileSync(`${folder}/${path}`, 'utf8')) as Answer)._embedded;

/** A row with its body as a reader sees it. */
const seen = (thread: Thread): Thread => ({
  ...thread,
  body: thread.body?.replace(/<a href="([^"]*)">/g, ' $1 ').replace(/<[^>]*>|&amp;/g, ' ') ?? null,
});

const rows = (): (readonly [string, object])[] => [
  ...answerIn('conversations.json').conversations!.flatMap(({ id, _embedded }) =>
    _embedded.threads.map((thread) => [`${id} ${thread.id}`, seen(thread)] as const),
  ),
  ...['1', '2'].flatMap((page) =>
    answerIn(`conversations/8/threads-${page}.json`).threads!.map(
      (thread) => [`8 ${thread.id}`, seen(thread)] as const,
    ),
  ),
];

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('helpscout-not-migrated');
  const raw = new Map(rows().map(([key, row]) => [key, change(row)]));
  return { missing: missingIn({ rows: raw, planned, meaningless, losses }), planned: planned.length };
}

describe('the totals of an export of Help Scout', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 16 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 16 });
  });
});
