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
    ...['replyToId', 'reactions[].reactionType', 'reactions[].displayName', 'attachments[].content.messageId'],
  ],
  'of a quoted message, which is one of its own': [
    'attachments[].content.messagePreview',
    'attachments[].content.messageSender.*',
  ],
  'how a card is built': ['attachments[].content.type', 'content.body[].type'],
  'said of the person, or of whom somebody mentions': ['from.*', 'mentions[].*', 'reactions[].user.*'],
  'what happened, which the text of the event says': ['eventDetail.*'],
  'when somebody reacted, or took it back': ['reactions[].createdDateTime', 'messageHistory*', 'lastModifiedDateTime'],
  'means something in Teams only': ['etag', 'locale', 'webUrl', 'tenantId', 'channelIdentity.teamId'],
  'numbers things, and nothing refers to them': ['attachments[].id'],
  'says what kind of thing is attached': ['attachments[].contentType', 'originalMessageSender.user.userIdentityType'],
  'as nearly all are': ['importance'],
  'where Graph has the answers of a message': ['replies@odata.*'],
};

const losses = {
  menus: ['content.actions*', 'attachments[].content.actions*'],
  cardDetails: ['attachments[].thumbnailUrl'],
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

/** Messages of Graph, in either spelling: a list, a page, a list of pages, one object, or one on each line. */
function rawRows(folder: string): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const path of globSync('**/*.{json,ndjson}', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8');
    const files: unknown[] = path.endsWith('.ndjson')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [JSON.parse(text)];
    const found = files.flat() as Raw[];
    const withReplies = ({ replies = [], ...row }: Raw) => [row, ...(replies as Raw[])];
    for (const row of found.flatMap((one) => (one.value as Raw[] | undefined) ?? [one]).flatMap(withReplies)) {
      const raw = lowered(row) as Raw;
      if (raw.messageType === undefined) continue;
      const { channelId } = (raw.channelIdentity ?? {}) as { channelId?: string };
      const root = typeof raw.replyToId === 'string' ? `${raw.replyToId}/` : '';
      const body = raw.body as { content: string };
      // Nothing is left of it.
      if (raw.deletedDateTime !== null && body.content === '') continue;
      const words = wordsOf(body.content);
      rows.set(`${String(raw.chatId ?? channelId)} ${root}${String(raw.id)}`, {
        ...raw,
        body: { ...body, content: words },
        attachments: (raw.attachments as Raw[]).map((one) => ({ ...one, ...parsed(one.content) })),
      });
    }
  }
  return rows;
}

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');

/** Parses an attachment, which is JSON in a text: its values count if none of them was lost. */
function parsed(content: unknown): Raw {
  if (typeof content !== 'string') return {};
  const card = JSON.parse(content) as Raw;
  return {
    content: {
      ...card,
      ...(card.originalMessageContent !== undefined && {
        originalMessageContent: wordsOf(String(card.originalMessageContent)),
      }),
    },
  };
}

const published = sharedFolder('exports/teams');
const folders = [
  'samples/teams/tenant/export',
  'samples/teams/graph/export',
  'samples/teams/fetched/export',
  ...(published === null ? [] : ['tenant-export', 'forwarded', 'graph'].map((name) => join(published, name))),
];

it.each(folders)('the plan and losses account for every value of %s', async (folder) => {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = rawRows(folder);
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({});
});

it('the plan and losses do not account for an unknown field', async () => {
  const folder = 'samples/teams/tenant/export';
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(
    [...rawRows(folder)].map(([key, row]) => [key, { ...(row as object), news: { mood: 'mauve' } }]),
  );
  expect(missingIn({ rows, planned, meaningless, losses })).toEqual({ 'news.mood': rows.size });
});

const ofPersonal = {
  'the message has it in a form of its own, which tests of the source compare': [
    ...['originalarrivaltime', 'properties.edittime', 'properties.deletetime', 'properties.emotions[].key'],
    // Millionths of degrees; a card in base 64.
    ...['content.values[].latitude', 'content.values[].longitude', 'content.values[].b64'],
  ],
  'says what kind of message it is, which the message shows': ['messagetype'],
  'repeats the id': ['version'],
  'names a file in the store, which is kept by its own name': ['amsreferences[]', 'content.values[].doc_id'],
  'said of the person': ['displayName'],
  'how the reaction is kept': ['properties.emotions[].users[].time', 'properties.emotions[].users[].value'],
  'who wrote it down: the server': ['properties.isserversidegenerated'],
};
const lostOfPersonal = {
  previews: ['properties.urlpreviews'],
  calls: ['content.values[].identity', 'content.words'],
  // Its size: metadata has the name, and why it is not there.
  filesWithoutAddress: ['content.values[].v'],
  cardDetails: ['content.card.id'],
};

/** Attributes of elements that say how it is shown, and not what. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  'the way to a file, which is lost': ['uri', 'url_thumbnail', 'href'],
  'ids and times that nothing refers to': ['callid', 'ts', 'ts_ms', 't', 'a', 'timestamp', 'messageid', 'author'],
  'what kind of element it is': ['type', 'version', 'alt', 'isuserlocation', 'timezone', 'locale', 'ss'],
};

/** Returns the attributes and words of an element; the heads of quotations repeat their attributes. */
function saidIn(content: string): unknown {
  if (content.startsWith('{')) return { card: JSON.parse(content) };
  const attributes = [...content.matchAll(/\s(\w+)="([^"]*)"/g)]
    .map(([, name, value]) => [name!.toLowerCase(), value!] as const)
    .filter(([name]) => !Object.values(unsaid).flat().includes(name));
  const hidden = /<legacyquote>.*?<\/legacyquote>|<(eventtime|duration)>.*?<\/\1>|<URIObject.*?<\/URIObject>/g;
  return {
    words: wordsOf(content.replace(hidden, ' ')),
    values: attributes.map(([name, value]) => ({ [name]: value })),
  };
}

const personalFolders = [
  'samples/teams/personal/export',
  ...(sharedFolder('exports/skype') === null ? [] : [join(sharedFolder('exports/skype')!, 'one')]),
];

it.each(personalFolders)('the plan and losses account for every value of the personal export %s', async (folder) => {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const { conversations } = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')) as {
    conversations: { id: string; MessageList: Raw[] }[];
  };
  const rows = new Map(
    conversations.flatMap(({ id, MessageList }) =>
      MessageList.filter(({ content }) => content !== '').map((row) => [
        `${id} ${String(row.id)}`,
        { ...row, content: saidIn(String(row.content)) },
      ]),
    ),
  );
  expect(planned.length).toBe(rows.size);
  expect(missingIn({ rows, planned, meaningless: ofPersonal, losses: lostOfPersonal })).toEqual({});
});
