import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { call, direct, importAll, list, muidsOf, nowSeconds, sandboxOf, toGroup } from './fixture.ts';

describe('a listing', () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = sandboxOf();
    // Ids 1 to 6; the times run against the ids.
    importAll(
      sandbox,
      direct('m1', { sentAt: nowSeconds - 10 }),
      toGroup('m2', { sentAt: nowSeconds - 20, tags: ['red'] }),
      direct('m3', {
        sentAt: nowSeconds - 30,
        sender: 'bob',
        receiver: 'ann',
        senderUserDetails: undefined,
        receiverUserDetails: undefined,
      }),
      toGroup('m4', {
        sentAt: nowSeconds - 40,
        type: 'image',
        data: { text: 'A Picture', attachments: [{ url: 'x' }] },
      }),
      direct('m5', { sentAt: nowSeconds - 50, category: 'custom', type: 'poll', data: { customData: { a: 1 } } }),
      toGroup('m6', { sentAt: nowSeconds - 60, tags: ['blue', 'red'] }),
    );
  });

  const muids = (query: string) => muidsOf(list(sandbox, query));

  it('has the messages of a conversation by ascending id', () => {
    expect(muids('conversationId=ann_user_bob')).toEqual(['m1', 'm3', 'm5']);
    expect(muids('conversationId=group_g')).toEqual(['m2', 'm4', 'm6']);
  });

  it('has the messages of all conversations where none is named', () => {
    expect(muids('')).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });

  it('is empty for an unknown conversation', () => {
    expect(list(sandbox, 'conversationId=nobody').json).toEqual({
      data: [],
      meta: { current: { limit: 10, count: 0 }, next: { affix: 'append', sentAt: 0, id: '0' } },
    });
  });

  it('shows a message as its import was answered', () => {
    const imported = importAll(sandbox, direct('m7')).json.data.m7.data;
    expect(list(sandbox, 'id=6').json.data).toEqual([imported]);
  });

  it('names the next page by the last row, also on the last page, and on an empty page by its start', () => {
    const first = list(sandbox, 'conversationId=group_g&limit=2');
    expect(muidsOf(first)).toEqual(['m2', 'm4']);
    expect(first.json.meta).toEqual({
      current: { limit: 2, count: 2 },
      next: { affix: 'append', sentAt: nowSeconds - 40, id: '4' },
    });
    const second = list(sandbox, `conversationId=group_g&limit=2&affix=append&id=4&sentAt=${nowSeconds - 40}`);
    expect(muidsOf(second)).toEqual(['m6']);
    const next = { affix: 'append', sentAt: nowSeconds - 60, id: '6' };
    expect(second.json.meta).toEqual({ current: { limit: 2, count: 1 }, next });
    for (const query of [`conversationId=group_g&id=6&sentAt=${nowSeconds - 60}`, 'conversationId=group_g&id=6']) {
      expect(list(sandbox, query).json).toEqual({ data: [], meta: { current: { limit: 10, count: 0 }, next } });
    }
  });

  it('filters by a time given with an id, unless it is the time of that message', () => {
    // m4 to m6 come after m3, and are older than it.
    expect(muids(`id=3&sentAt=${nowSeconds - 30}`)).toEqual(['m4', 'm5', 'm6']);
    expect(muids(`id=3&sentAt=${nowSeconds - 55}`)).toEqual(['m4', 'm5']);
    expect(muids(`id=3&sentAt=${nowSeconds}`)).toEqual([]);
    expect(muids(`affix=prepend&id=3&sentAt=${nowSeconds - 15}`)).toEqual(['m2']);
  });

  it.each([
    'types=image&types=poll',
    'types=image,poll',
    'types[]=image&types[]=poll',
    'types[0]=image&types[1]=poll',
    'types%5B1%5D=poll&types%5B0%5D=image',
  ])('reads a list that is spelled %s', (query) => {
    expect(muids(query)).toEqual(['m4', 'm5']);
  });

  it('takes a comma in brackets for a part of the value', () => {
    importAll(sandbox, direct('m7', { tags: ['red, dark'] }));
    expect(muids('tags[]=red, dark')).toEqual(['m7']);
    expect(muids('tags=red, dark')).toEqual(['m2', 'm6']);
  });

  it.each(['pageSize=5', '__proto__=5', 'myMentionsOnly=false', 'mentionsWithtaginfo=x'])('passes over %s', (query) => {
    expect(muids(`${query}&type=image`)).toEqual(['m4']);
  });

  it('filters by links', () => {
    importAll(
      sandbox,
      direct('m7', { data: { text: 'see https://example.com/a' } }),
      direct('m8', { data: { text: 'http:// or www. or nothttp://a' } }),
      direct('m9', { data: { text: 'WWW.example.com' } }),
    );
    expect(muids('id=6&hasLinks=true')).toEqual(['m7', 'm9']);
    expect(muids('id=6&hasLinks=false')).toEqual(['m8']);
  });

  it('reads backwards from an id, ascending inside the page', () => {
    const newest = list(sandbox, 'affix=prepend&id=999999999999&limit=2');
    expect(muidsOf(newest)).toEqual(['m5', 'm6']);
    expect(newest.json.meta.next).toEqual({ affix: 'prepend', sentAt: nowSeconds - 50, id: '5' });
    expect(muids('affix=prepend&id=3')).toEqual(['m1', 'm2']);
    expect(list(sandbox, 'affix=prepend&id=3').json.meta.next).toMatchObject({ affix: 'prepend', id: '1' });
  });

  it.each([
    ['limit=1', ['m1']],
    [`sentAt=${nowSeconds - 30}`, ['m1', 'm2']],
    [`fromTimestamp=${nowSeconds - 40}&toTimestamp=${nowSeconds - 20}`, ['m2', 'm3', 'm4']],
    [`fromTimestamp=${nowSeconds - 20}`, ['m1', 'm2']],
    [`toTimestamp=${nowSeconds - 50}`, ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']],
    [`fromTimestamp=&toTimestamp=${nowSeconds - 50}`, ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']],
    ['sender=bob', ['m3']],
    ['sender=BOB', ['m3']],
    ['receiverType=group', ['m2', 'm4', 'm6']],
    ['category=custom', ['m5']],
    ['categories=custom&categories=message&limit=2', ['m1', 'm2']],
    ['type=image', ['m4']],
    ['types[]=image&types[]=poll', ['m4', 'm5']],
    ['tags=red', ['m2', 'm6']],
    ['tags=blue&tags=green', ['m6']],
    ['tags[]=green', []],
    ['withTags=true&tags=blue', ['m6']],
    ['searchKey=picture', ['m4']],
    ['searchKey=%25', []],
    ['hasAttachments=true', ['m4']],
    ['hasAttachments=false&receiverType=group', ['m2', 'm6']],
    ['conversationId=group_g&tags=red&id=2', ['m6']],
  ])('filters by %s', (query, expected) => {
    expect(muids(query)).toEqual(expected);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=-1', 'limit'],
    ['affix=after', 'affix'],
    ['id=abc', 'id'],
    ['receiverType=channel', 'receiverType'],
    ['fromTimestamp=now', 'fromTimestamp'],
    ['hasAttachments=maybe', 'hasAttachments'],
    ['hasReactions=perhaps', 'hasReactions'],
    ['attachmentTypes=letter', 'attachmentTypes'],
    ['unread=true', 'unread'],
    ['hasLinks=perhaps', 'hasLinks'],
  ])('refuses %s and names the parameter', (query, name) => {
    const { status, json } = list(sandbox, query);
    expect(status).toBe(400);
    expect(json.error.code).toBe('ERR_BAD_REQUEST');
    expect(Object.keys(json.error.details)).toEqual([name]);
  });

  it('counts unread messages if asked to', () => {
    importAll(sandbox, direct('m7', { readAt: nowSeconds }));
    const { json } = list(sandbox, 'conversationId=ann_user_bob&count=true&limit=1');
    expect(json.meta).toMatchObject({ current: { count: 1 }, unreadCount: 3 });
    expect(muids('unread=true&count=true&conversationId=ann_user_bob')).toEqual(['m1', 'm3', 'm5']);
  });

  it('omits the tags if asked to', () => {
    expect(list(sandbox, 'id=1&limit=1').json.data[0].tags).toEqual(['red']);
    expect(list(sandbox, 'id=1&limit=1&withTags=false').json.data[0]).not.toHaveProperty('tags');
  });

  it('shows the requested details of mentioned users', () => {
    const mention = { data: { text: 'Ask <@uid:bob>, <@uid:BOB> or <@uid:nobody>', mentions: 'forged' } };
    importAll(sandbox, direct('m7', mention));
    call(sandbox, 'POST /v3/users/bob/blockedusers', { body: { blockedUids: ['ann'] } });
    const shown = (query: string, onBehalfOf?: string) =>
      list(sandbox, `id=6&${query}`, onBehalfOf === undefined ? {} : { onBehalfOf }).json.data[0].data.mentions;
    expect(shown('')).toBe('forged');
    expect(shown('mentionswithTagInfo=true')).toMatchObject({ bob: { uid: 'bob', tags: [] } });
    expect(shown('mentionsWithTagInfo=true')).toMatchObject({ bob: { uid: 'bob', tags: [] } });
    expect(shown('mentionsWithBlockedInfo=true', 'ann')).toMatchObject({
      bob: { name: 'Bob', blockedByMe: false, hasBlockedMe: true },
    });
    expect(Object.keys(shown('mentionsWithBlockedInfo=true'))).toEqual(['bob']);
  });

  it('shows a user its own conversations, by either spelling of the header', () => {
    const stranger = {
      senderUserDetails: { uid: 'eve', name: 'Eve' },
      receiverUserDetails: { uid: 'bob', name: 'Bob' },
    };
    importAll(sandbox, direct('m7', { sender: 'eve', ...stranger }));
    expect(muidsOf(list(sandbox, '', { onBehalfOf: 'eve' }))).toEqual(['m7']);
    expect(muidsOf(list(sandbox, '', { onbehalfof: 'bob' }))).toEqual(['m1', 'm3', 'm5', 'm7']);
    expect(muidsOf(list(sandbox, 'conversationId=group_g', { onBehalfOf: 'ANN' }))).toEqual(['m2', 'm4', 'm6']);
  });

  it('is refused on behalf of an unknown user', () => {
    expect(list(sandbox, '', { onBehalfOf: 'nobody' })).toMatchObject({
      status: 404,
      json: { error: { code: 'ERR_UID_NOT_FOUND' } },
    });
  });
});
