import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { call, direct, importAll, muidsOf, nowSeconds, refused, sandboxOf, toGroup } from './fixture.ts';

let sandbox: Sandbox;

const bare = { senderUserDetails: undefined, receiverUserDetails: undefined };
const cleo = { uid: 'cleo', name: 'Cleo' };

beforeEach(() => {
  sandbox = sandboxOf();
  importAll(
    sandbox,
    direct('m1', { deliveredAt: nowSeconds, readAt: nowSeconds }),
    direct('m2', { ...bare, sender: 'bob', receiver: 'ann', data: { text: 'I ask <@uid:ann>' } }),
    toGroup('m3', { ...bare, receiverUserDetails: { guid: 'g', name: 'G' }, data: { text: 'For <@uid:bob>' } }),
    direct('m4', { receiver: 'cleo', receiverUserDetails: cleo, deliveredAt: nowSeconds }),
    direct('m5'),
  );
});

const page = (uid: string, query = '', onBehalfOf?: string) =>
  call(sandbox, `GET /v3/users/${uid}/messages?${query}`, onBehalfOf === undefined ? {} : { onBehalfOf });

describe('the messages of a user', () => {
  it('are those it sent and received, the newest page first, ascending within a page', () => {
    expect(muidsOf(page('BOB'))).toEqual(['m1', 'm2', 'm5']);
    const newest = page('ann', 'perPage=2');
    expect(muidsOf(newest)).toEqual(['m4', 'm5']);
    expect(newest.json.meta).toEqual({
      pagination: { total: 5, count: 2, per_page: 2, current_page: 1, total_pages: 3 },
      cursor: { id: 4, affix: 'prepend' },
    });
    const second = page('ann', 'perPage=2&affix=prepend&id=4');
    expect(muidsOf(second)).toEqual(['m2', 'm3']);
    expect(second.json.meta.pagination).toMatchObject({ total: 5, current_page: 2 });
    const last = page('ann', 'perPage=2&id=2');
    expect(muidsOf(last)).toEqual(['m1']);
    expect(last.json.meta).toEqual({
      pagination: { total: 5, count: 1, per_page: 2, current_page: 3, total_pages: 3 },
      cursor: { id: 1, affix: 'prepend' },
    });
    expect(page('ann', 'perPage=2&id=1').json).toMatchObject({ data: [], meta: { cursor: { id: 1 } } });
  });

  it('are read from the oldest on with append', () => {
    const first = page('ann', 'perPage=2&affix=append');
    expect(muidsOf(first)).toEqual(['m1', 'm2']);
    expect(first.json.meta.cursor).toEqual({ id: 2, affix: 'append' });
    expect(muidsOf(page('ann', 'perPage=2&affix=append&id=4'))).toEqual(['m5']);
  });

  it('are, on behalf of another, those between the two', () => {
    expect(muidsOf(page('bob', '', 'ann'))).toEqual(['m1', 'm2', 'm5']);
    expect(muidsOf(page('ann', '', 'cleo'))).toEqual(['m4']);
    expect(page('cleo', '', 'bob').json).toEqual({
      data: [],
      meta: {
        pagination: { total: 0, count: 0, per_page: 10, current_page: 1, total_pages: 0 },
        cursor: { id: 0, affix: 'prepend' },
      },
    });
  });

  it('come 100 to a page, or 10 on behalf of a user', () => {
    const sizeOf = (query: string, onBehalfOf?: string) => page('ann', query, onBehalfOf).json.meta.pagination.per_page;
    expect(sizeOf('')).toBe(100);
    expect(sizeOf('limit=7')).toBe(100);
    expect(sizeOf('', 'bob')).toBe(10);
    expect(sizeOf('limit=7&perPage=8', 'bob')).toBe(7);
    expect(sizeOf('perPage=8', 'bob')).toBe(8);
  });

  it.each([
    ['unread=true', ['m2', 'm3', 'm4', 'm5']],
    ['undelivered=true', ['m2', 'm3', 'm5']],
    ['sender=bob', ['m2']],
    ['hasMentions=true', ['m2', 'm3']],
    ['hasLinks=true', []],
    ['hasLinks=false&conversationId=unknown&pageSize=1', ['m1', 'm2', 'm3', 'm4', 'm5']],
    ['types[0]=poll&types[1]=text&categories=custom,message', ['m1', 'm2', 'm3', 'm4', 'm5']],
    ['hasMentions=false', ['m1', 'm4', 'm5']],
    ['mentionedUids=cleo,%20BOB', ['m3']],
    ['category=message&type=text&types=text', ['m1', 'm2', 'm3', 'm4', 'm5']],
    ['hasReactions=false', ['m1', 'm2', 'm3', 'm4', 'm5']],
    ['hasReactions=true', []],
  ])('are filtered by %s', (query, expected) => {
    expect(muidsOf(page('ann', query))).toEqual(expected);
  });

  it('are filtered by mentions of the acting user', () => {
    expect(muidsOf(page('bob', 'myMentionsOnly=true', 'ann'))).toEqual(['m2']);
    expect(muidsOf(page('ann', 'myMentionsOnly=true', 'bob'))).toEqual([]);
  });

  it('are counted by the other user or group', () => {
    expect(page('ann', 'count=true&perPage=1').json.meta.counts).toEqual([
      { entityType: 'user', entityId: 'bob', count: 3 },
      { entityType: 'group', entityId: 'g', count: 1 },
      { entityType: 'user', entityId: 'cleo', count: 1 },
    ]);
  });

  it('are not found for an unknown user, nor on behalf of one', () => {
    expect(page('nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(page('ann', '', 'nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
  });

  it.each(['perPage=0', 'perPage=1001', 'limit=0', 'affix=after', 'id=x', 'unread=perhaps'])(
    'are refused with %s',
    (query) => {
      const answer = page('ann', query);
      expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
      expect(Object.keys(answer.json.error.details)).toEqual([query.split('=')[0]]);
    },
  );
});
