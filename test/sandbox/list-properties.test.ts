import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/app.ts';
import { type ListingBehaviour, usualListing } from '../../src/sandbox/rules/rules.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { isNightly } from '../tier.ts';
import { apiKey, ask, clockAt, now, nowSeconds } from './fixture.ts';

const uids = ['ann', 'bob', 'cleo'] as const;
/** Ann has blocked Cleo. */
const [blocker, , blocked] = uids;
const guids = ['g', 'h'] as const;

/** A message as it is imported. The reference below knows nothing else of it. */
interface Told {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: 'user' | 'group';
  readonly category: string;
  readonly type: string;
  readonly text: string | undefined;
  readonly mimeTypes: readonly (string | undefined)[];
  readonly tags: readonly string[];
  readonly secondsAgo: number;
  readonly isDelivered: boolean;
  readonly isRead: boolean;
  readonly isReactedTo: boolean;
}

interface Stored extends Told {
  /** From 1, in the order of arrival. */
  readonly id: number;
}

const kind = fc.constantFrom(
  ...[['message', 'text'] as const, ['message', 'image'] as const, ['message', 'audio'] as const],
  ...[['message', 'file'] as const, ['custom', 'poll'] as const, ['custom', 'text'] as const],
);

const texts = ['Hello', 'hello again', '100%', 'a_b', 'ÄÖ <@uid:bob>', '<@uid:cleo> and <@uid:ann>', '<@uid:>'];

const told: fc.Arbitrary<Told> = fc
  .record({
    sender: fc.constantFrom(...uids),
    to: fc.oneof(
      fc.constantFrom(...uids).map((receiver) => ({ receiver, receiverType: 'user' as const })),
      fc.constantFrom(...guids).map((receiver) => ({ receiver, receiverType: 'group' as const })),
    ),
    kind,
    text: fc.constantFrom(...texts),
    mimeTypes: fc.array(fc.constantFrom('image/png', 'video/mp4', 'application/pdf', undefined), { maxLength: 2 }),
    tags: fc.subarray(['red', 'blue', 'a"b']),
    secondsAgo: fc.nat({ max: 5 }),
    isDelivered: fc.boolean(),
    isRead: fc.boolean(),
    isReactedTo: fc.boolean(),
  })
  .map(({ to, kind: [category, type], mimeTypes, ...rest }) => {
    const needsFile = category === 'message' && type !== 'text';
    return { ...rest, ...to, category, type, mimeTypes: needsFile && mimeTypes.length === 0 ? [undefined] : mimeTypes };
  });

/** @param viewer on whose behalf the list is read. */
type Passes = (message: Stored, viewer: string | undefined) => boolean;

/** Parameters that both listings have, and the messages that pass each of them. */
const commonFilters: Readonly<Record<string, fc.Arbitrary<readonly [string, Passes]>>> = {
  searchKey: fc
    .constantFrom('hello', 'HELLO', '%', '_', 'again', 'nothing')
    .map((key) => [`searchKey=${encodeURIComponent(key)}`, ({ text }) => lower(text).includes(lower(key))]),
  hasAttachments: fc.boolean().map((is) => [`hasAttachments=${is}`, ({ mimeTypes }) => mimeTypes.length > 0 === is]),
  attachmentTypes: fc
    .constantFrom('image', 'video', 'audio', 'file')
    .map((wanted) => [
      `attachmentTypes=${wanted}`,
      ({ mimeTypes, type }) => mimeTypes.some((mimeType) => fileKind(mimeType, type) === wanted),
    ]),
  hasMentions: fc.boolean().map((is) => [`hasMentions=${is}`, ({ text }) => /<@uid:[a-z]+>/.test(text ?? '') === is]),
  mentionedUids: fc
    .subarray([...uids], { minLength: 1 })
    .map((some) => [
      `mentionedUids=${some.join(',')}`,
      ({ text }) => some.some((uid) => (text ?? '').includes(`<@uid:${uid}>`)),
    ]),
  hideReplies: fc.boolean().map((is) => [`hideReplies=${is}`, () => true]),
  type: fc
    .constantFrom('text', 'image', 'poll', 'none')
    .map((wanted) => [`type=${wanted}`, ({ type }) => type === wanted]),
  types: fc
    .subarray(['text', 'image', 'poll'], { minLength: 1 })
    .map((some) => [some.map((one) => `types=${one}`).join('&'), ({ type }) => some.includes(type)]),
  categories: fc
    .subarray(['message', 'custom', 'call'], { minLength: 1 })
    .map((some) => [some.map((one) => `categories[]=${one}`).join('&'), ({ category }) => some.includes(category)]),
  category: fc
    .constantFrom('message', 'custom', 'action')
    .map((wanted) => [`category=${wanted}`, ({ category }) => category === wanted]),
  tags: fc
    .subarray(['red', 'blue', 'a"b'], { minLength: 1 })
    .map((some) => [
      some.map((tag) => `tags=${encodeURIComponent(tag)}`).join('&'),
      ({ tags }) => some.some((tag) => tags.includes(tag)),
    ]),
  sender: fc.constantFrom(...uids).map((wanted) => [`sender=${wanted}`, ({ sender }) => sender === wanted]),
  time: fc.record({ from: fc.option(fc.nat({ max: 6 })), to: fc.option(fc.nat({ max: 6 })) }).map(({ from, to }) => [
    [
      ...(from === null ? [] : [`fromTimestamp=${nowSeconds - from}`]),
      ...(to === null ? [] : [`toTimestamp=${nowSeconds - to}`]),
    ].join('&'),
    // The end is ignored without a beginning.
    ({ secondsAgo }) => from === null || (secondsAgo <= from && (to === null || secondsAgo >= to)),
  ]),
};

const listFilters: typeof commonFilters = {
  ...commonFilters,
  conversationId: fc
    .constantFrom('ann_user_bob', 'bob_user_cleo', 'group_g', 'ANN_user_BOB', 'nowhere')
    .map((wanted) => [`conversationId=${wanted}`, (message) => conversationOf(message) === wanted.toLowerCase()]),
  receiverType: fc
    .constantFrom('user', 'group')
    .map((wanted) => [`receiverType=${wanted}`, ({ receiverType }) => receiverType === wanted]),
  hasReactions: fc.boolean().map((is) => [`hasReactions=${is}`, ({ isReactedTo }) => isReactedTo === is]),
  unread: fc.boolean().map((is) => [`unread=${is}&count=true`, ({ isRead }) => !is || !isRead]),
  hideDeleted: fc.boolean().map((is) => [`hideDeleted=${is}`, () => true]),
  onlyDeleted: fc.boolean().map((is) => [`onlyDeleted=${is}`, () => !is]),
  hideMessagesFromBlockedUsers: fc
    .boolean()
    .map((is) => [
      `hideMessagesFromBlockedUsers=${is}`,
      ({ sender }, viewer) => !is || viewer !== blocker || sender !== blocked,
    ]),
};

const userListFilters: typeof commonFilters = {
  ...commonFilters,
  hasReactions: fc.boolean().map((is) => [`hasReactions=${is}`, ({ isReactedTo }) => !is || isReactedTo]),
  unread: fc.boolean().map((is) => [`unread=${is}`, ({ isRead }) => !is || !isRead]),
  undelivered: fc.boolean().map((is) => [`undelivered=${is}`, ({ isDelivered }) => !is || !isDelivered]),
};

/** Only letters of ASCII have two cases here. */
const lower = (text = '') => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function fileKind(mimeType: string | undefined, type: string): string {
  const family = mimeType === undefined ? type : mimeType.split('/')[0]!;
  return ['image', 'video', 'audio'].includes(family) ? family : 'file';
}

const conversationOf = ({ sender, receiver, receiverType }: Told): string =>
  receiverType === 'group' ? `group_${receiver}` : [sender, receiver].sort().join('_user_');

/** Some of the filters together: parameters and the messages that pass all of them. */
function queryOf(filters: typeof commonFilters) {
  return fc
    .subarray(Object.keys(filters), { maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((name) => filters[name]!)))
    .map((chosen) => ({
      search: chosen.map(([search]) => search).filter((search) => search !== ''),
      passes: (message: Stored, viewer: string | undefined) => chosen.every(([, passes]) => passes(message, viewer)),
    }));
}

const behaviour = fc.record({
  order: fc.constantFrom('id' as const, 'time' as const),
  cursors: fc.constantFrom('exclusive' as const, 'inclusive' as const),
});

function fill(messages: readonly Told[], listing: Partial<ListingBehaviour>): { sandbox: Sandbox; stored: Stored[] } {
  const sandbox = createSandbox({ store: openSandboxStore(':memory:'), apiKey, profile: 'spec', clock: clockAt(now) });
  onTestFinished(() => sandbox.close());
  sandbox.behave({ listing: { ...usualListing, ...listing } });
  const items = messages.map((message, index) => [`m${index}`, itemOf(message, `m${index}`)]);
  const body = JSON.stringify({ messages: Object.fromEntries(items) });
  const answer = ask(sandbox, { method: 'POST', path: '/v3/data_import/messages', body });
  for (const { success, error } of Object.values<{ success: boolean; error: unknown }>(answer.json.data)) {
    expect(success, JSON.stringify(error)).toBe(true);
  }
  const blocking = JSON.stringify({ blockedUids: [blocked] });
  ask(sandbox, { method: 'POST', path: `/v3/users/${blocker}/blockedusers`, body: blocking });
  const stored = messages.map((message, index) => ({ ...message, id: index + 1 }));
  for (const { id, isReactedTo, sender } of stored) {
    if (!isReactedTo) continue;
    const path = `/v3/messages/${id}/reactions/x`;
    expect(ask(sandbox, { method: 'POST', path, headers: { apikey: apiKey, onBehalfOf: sender } }).status).toBe(200);
  }
  return { sandbox, stored };
}

function itemOf(message: Told, muid: string): Record<string, unknown> {
  const { sender, receiver, receiverType, category, type, text, mimeTypes, tags, secondsAgo } = message;
  const attachments = mimeTypes.map((mimeType) => ({ url: 'https://example.com/x', ...(mimeType && { mimeType }) }));
  return {
    muid,
    sender,
    receiver,
    receiverType,
    category,
    type,
    tags,
    sentAt: nowSeconds - secondsAgo,
    data: {
      text,
      ...(attachments.length > 0 && { attachments }),
      ...(category === 'custom' && { customData: { a: 1 } }),
    },
    ...(message.isDelivered && { deliveredAt: nowSeconds }),
    ...(message.isRead && { readAt: nowSeconds }),
    senderUserDetails: { uid: sender, name: sender },
    ...(receiverType === 'group'
      ? { receiverGroupDetails: { guid: receiver, name: receiver, type: 'public' } }
      : { receiverUserDetails: { uid: receiver, name: receiver } }),
  };
}

interface Walk {
  readonly sandbox: Sandbox;
  /** Without a query. */
  readonly path: string;
  readonly search: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly affix: 'append' | 'prepend';
}

interface Cursor {
  readonly id?: string | number;
  readonly affix?: string;
  readonly sentAt?: number;
}

/** Follows the cursors to the end. @returns the ids in the order of the list, and how many there were on each page. */
function walk({ sandbox, path, search, headers, affix }: Walk): { readonly ids: number[]; readonly sizes: number[] } {
  const ids: number[] = [];
  const sizes: number[] = [];
  let place = affix === undefined ? [] : [`affix=${affix}`];
  for (let page = 0; page < 200; page++) {
    const { status, json } = ask(sandbox, { path: `${path}?${[...search, ...place].join('&')}`, headers });
    expect(status, JSON.stringify(json)).toBe(200);
    const found = (json.data as { id: string }[]).map(({ id }) => Number(id));
    if (affix === 'prepend') ids.unshift(...found);
    else ids.push(...found);
    sizes.push(found.length);
    // A page that brings nothing new is the end: it is empty, or holds the row of its cursor alone.
    if (found.every((id) => ids.indexOf(id) !== ids.lastIndexOf(id))) return { ids, sizes };
    const next: Cursor = json.meta.next ?? json.meta.cursor;
    expect(next.affix).toBe(affix);
    place = [`affix=${next.affix}`, `id=${next.id}`, ...(next.sentAt === undefined ? [] : [`sentAt=${next.sentAt}`])];
  }
  throw new Error('The list does not end');
}

/** Pages may repeat their edge where cursors are inclusive. */
const withoutRepeats = (ids: readonly number[]) => ids.filter((id, index) => id !== ids[index - 1]);

function sorted(messages: readonly Stored[], order: 'id' | 'time'): number[] {
  const byTime = (a: Stored, b: Stored) => (order === 'time' ? b.secondsAgo - a.secondsAgo : 0);
  return messages.toSorted((a, b) => byTime(a, b) || a.id - b.id).map(({ id }) => id);
}

const membersOf = (guid: string, messages: readonly Told[]) =>
  messages
    .filter(({ receiverType, receiver }) => receiverType === 'group' && receiver === guid)
    .map(({ sender }) => sender);

/** Returns whether a user can see a message: it is in one of its direct conversations, or in a group that it wrote in. */
function sees(uid: string, message: Told, all: readonly Told[]): boolean {
  if (message.receiverType === 'user') return message.sender === uid || message.receiver === uid;
  return membersOf(message.receiver, all).includes(uid);
}

const data = fc.array(told, { minLength: 1, maxLength: 40 });

describe('pages of messages, followed to the end', () => {
  it('hold every message that passes the filters, once and in order', () => {
    fc.assert(
      fc.property(
        data,
        behaviour,
        fc.array(
          fc.record({
            query: queryOf(listFilters),
            affix: fc.constantFrom('append' as const, 'prepend' as const),
            limit: fc.integer({ min: 2, max: 12 }),
            onBehalfOf: fc.option(fc.constantFrom(...uids)),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        (messages, listing, lists) => {
          const { sandbox, stored } = fill(messages, listing);
          const exists = (uid: string) => stored.some(({ sender, receiver }) => sender === uid || receiver === uid);
          for (const { query, affix, limit, onBehalfOf } of lists) {
            const uid = onBehalfOf !== null && exists(onBehalfOf) ? onBehalfOf : undefined;
            const headers = { apikey: apiKey, ...(uid && { onBehalfOf: uid }) };
            const search = [...query.search, `limit=${limit}`];
            const { ids, sizes } = walk({ sandbox, path: '/v3/messages', search, headers, affix });
            const expected = stored.filter(
              (message) => query.passes(message, uid) && (uid === undefined || sees(uid, message, stored)),
            );
            expect(listing.cursors === 'inclusive' ? withoutRepeats(ids) : ids).toEqual(
              sorted(expected, listing.order),
            );
            // Only the last page is not full, and the one behind it.
            expect(sizes.slice(0, -2).every((size) => size === limit)).toBe(true);
          }
        },
      ),
      { numRuns: isNightly ? 150 : 15 },
    );
  });

  it('of a user hold every message of the user that passes the filters, once and in order', () => {
    fc.assert(
      fc.property(
        data,
        behaviour,
        fc.array(
          fc.record({
            query: queryOf(userListFilters),
            affix: fc.constantFrom('append' as const, 'prepend' as const),
            size: fc.integer({ min: 2, max: 12 }),
            user: fc.nat(),
            other: fc.option(fc.constantFrom(...uids)),
            isMentioned: fc.boolean(),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        (messages, listing, lists) => {
          const { sandbox, stored } = fill(messages, listing);
          const known = uids.filter((uid) => stored.some(({ sender, receiver }) => sender === uid || receiver === uid));
          for (const { query, affix, size, user, other, isMentioned } of lists) {
            const uid = known[user % known.length]!;
            const partner = other !== null && known.includes(other) ? other : undefined;
            const expected = stored.filter((message) => {
              const isTheirs = partner
                ? conversationOf(message) === [uid, partner].sort().join('_user_')
                : sees(uid, message, stored) || message.sender === uid;
              const mentions = !partner || !isMentioned || (message.text ?? '').includes(`<@uid:${partner}>`);
              return isTheirs && mentions && query.passes(message, partner);
            });
            const { ids, sizes } = walk({
              sandbox,
              path: `/v3/users/${uid}/messages`,
              search: [...query.search, `${partner ? 'limit' : 'perPage'}=${size}`, `myMentionsOnly=${isMentioned}`],
              headers: { apikey: apiKey, ...(partner && { onBehalfOf: partner }) },
              affix,
            });
            expect(listing.cursors === 'inclusive' ? withoutRepeats(ids) : ids).toEqual(
              sorted(expected, listing.order),
            );
            expect(sizes.slice(0, -2).every((one) => one === size)).toBe(true);
          }
        },
      ),
      { numRuns: isNightly ? 150 : 15 },
    );
  });

  it('begin after or before a second if no id is given', () => {
    fc.assert(
      fc.property(data, fc.nat({ max: 6 }), (messages, secondsAgo) => {
        const { sandbox, stored } = fill(messages, {});
        const idsOf = (affix: string) =>
          ask(sandbox, {
            path: `/v3/messages?limit=1000&affix=${affix}&sentAt=${nowSeconds - secondsAgo}`,
          }).json.data.map(({ id }: { id: string }) => Number(id));
        expect(idsOf('append')).toEqual(stored.filter((one) => one.secondsAgo < secondsAgo).map(({ id }) => id));
        expect(idsOf('prepend')).toEqual(stored.filter((one) => one.secondsAgo > secondsAgo).map(({ id }) => id));
      }),
      { numRuns: isNightly ? 50 : 10 },
    );
  });
});
