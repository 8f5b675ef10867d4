import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep, custom: metadata }';

const meaningless = {
  'the message has it in a form of its own, which tests of the source compare': [
    ...['createdDateTime', 'lastEditedDateTime', 'deletedDateTime', 'messageType', 'body.contentType'],
    ...['replyToId', 'reactions[].reactionType', 'reactions[].displayName', 'attachments[].content'],
  ],
  'said of the person, or of whom somebody mentions': ['from.*', 'mentions[].*', 'reactions[].user.*'],
  'what happened, which the text of the event says': ['eventDetail.*'],
  'when somebody reacted, or took it back': ['reactions[].createdDateTime', 'messageHistory*', 'lastModifiedDateTime'],
  'means something in Teams only': ['etag', 'locale', 'webUrl', 'tenantId', 'channelIdentity.teamId'],
  'numbers things, and nothing refers to them': ['attachments[].id'],
  'says what kind of thing is attached': ['attachments[].contentType'],
  'as nearly all are': ['importance'],
};

type Raw = Readonly<Record<string, unknown>>;

/** Keys as Graph writes them. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.slice(0, 1).toLowerCase() + key.slice(1), lowered(inner)]),
  );
}

function rawRows(folder: string): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const path of globSync('**/messages*.json', { cwd: folder })) {
    const found = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Raw[];
    for (const row of found.flatMap((one) => (one.value as Raw[] | undefined) ?? [one])) {
      const raw = lowered(row) as Raw;
      const { channelId } = (raw.channelIdentity ?? {}) as { channelId?: string };
      const root = typeof raw.replyToId === 'string' ? `${raw.replyToId}/` : '';
      const body = raw.body as { content: string };
      // Nothing is left of it.
      if (raw.deletedDateTime !== null && body.content === '') continue;
      const words = body.content.replace(/<[^>]*>/g, ' ').replaceAll('&nbsp;', ' ');
      rows.set(`${String(raw.chatId ?? channelId)} ${root}${String(raw.id)}`, {
        ...raw,
        body: { ...body, content: words },
      });
    }
  }
  return rows;
}

const published = sharedFolder('exports/teams');
const folders = [
  'samples/teams/tenant/export',
  ...(published === null ? [] : ['tenant-export', 'forwarded'].map((name) => join(published, name))),
];

it.each(folders)('the books account for every value of %s', async (folder) => {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = rawRows(folder);
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless, losses: {} })).toEqual({});
});

it('the books miss what is said nowhere', async () => {
  const folder = 'samples/teams/tenant/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    [...rawRows(folder)].map(([key, row]) => [key, { ...(row as object), news: { mood: 'mauve' } }]),
  );
  expect(missingIn({ rows, planned, meaningless, losses: {} })).toEqual({ 'news.mood': rows.size });
});
