import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silent } from '../../src/lib/flow/progress.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { plan } from '../../src/plan/plan.ts';
import { profiles } from '../../src/service/profiles.ts';
import type { ReadArrivals } from '../../src/model/arrival.ts';
import { databaseOf, type Store } from '../../src/store/open.ts';
import { clockAt } from '../sandbox/fixture.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { addDestination, openTestStore } from './fixture.ts';

const home = temporaryFolderInMemory();

/** 2024-03-01 00:00 UTC: when the first message of each conversation was written. */
const first = 1_709_251_200;
const nowSeconds = first + 86_400;

const user = (id: string, fields: object = {}) => ({ kind: 'user', id, name: id, ...fields });
const group = (id: string, fields: object = {}) => ({
  kind: 'conversation',
  id,
  type: 'private',
  name: id,
  members: [],
  ...fields,
});
const direct = (id: string, ...members: string[]) => ({ kind: 'conversation', id, type: 'direct', name: '', members });

function says(conversation: string, author: string, number = 1) {
  const origin = { source: 'test', workspace: 'w', conversation, id: `${conversation}-${number}` };
  const sentAtMs = first * 1000 + (number - 1) * 1000;
  return { kind: 'message', origin, sortKey: String(number), sentAtMs, author, text: `${conversation} ${number}` };
}

type Rules = Awaited<ReturnType<typeof loadMapping>>['rules'];

/** Plans an export of these lines for the hosted service, into a store of its own or another. */
async function planned(
  lines: readonly object[],
  {
    people = {},
    owner = 'none',
    members: unlisted = 'ask',
  }: {
    readonly people?: Partial<Rules['people']>;
    readonly owner?: 'none' | 'creator';
    readonly members?: Rules['conversations']['members'];
  } = {},
  into = { store: openTestStore(), file: join(home.make(), 'export.ndjson') },
) {
  const { store, file } = into;
  const head = { kind: 'chatferry', version: 1, source: 'test', workspace: 'w' };
  writeFileSync(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const mapping = await loadMapping(undefined);
  const { rules } = mapping;
  await plan(store, {
    exports: [file],
    mapping: {
      ...mapping,
      rules: {
        ...rules,
        people: { ...rules.people, ...people },
        conversations: { ...rules.conversations, owner, members: unlisted },
      },
    },
    allowMappingChange: false,
    profile: profiles.hosted,
    clock: clockAt(nowSeconds * 1000),
    progress: silent,
    signal: new AbortController().signal,
  });
  const itemsOf = (kind: string) =>
    databaseOf(store)
      .prepare<[string], string>('SELECT payload FROM arrival WHERE kind = ? AND is_wanted = 1')
      .pluck()
      .all(kind)
      .map((payload) => JSON.parse(payload) as Record<string, unknown>);
  return {
    ...into,
    groups: itemsOf('groups'),
    members: itemsOf('members'),
    uids: itemsOf('people')
      .map(({ uid }) => uid)
      .toSorted(),
    read: JSON.parse(store.facts.read('arrivals') ?? '{}') as Record<'people' | 'groups' | 'members', ReadArrivals>,
  };
}

/** Every planned arrival was asked for, with this result. */
async function deliver(store: Store, state: 'imported' | 'failed' | 'sent'): Promise<number> {
  const { id, run } = addDestination(store);
  for (const kind of ['people', 'groups', 'members'] as const) {
    const rows = store.arrivals.page(id, kind, 0, 50);
    await store.arrivals.intend(id, run, rows, 1);
    if (state !== 'sent')
      await store.arrivals.receive(
        id,
        rows.map((row) => ({ row, state, ...(state === 'imported' && { isOurs: true }) })),
      );
  }
  return id;
}

describe('people who come along', () => {
  const cast = ['ann', 'bob', 'cleo', 'dan', 'eve', 'zoe'].map((id) => user(id));

  it('are writers, both of a direct conversation, members and owners', async () => {
    const lines = [
      ...cast,
      group('G', { members: ['cleo'], creator: 'eve' }),
      direct('D', 'bob', 'dan'),
      says('G', 'ann'),
      says('D', 'bob'),
    ];
    const { uids, read } = await planned(lines, { owner: 'creator' });
    expect(uids).toEqual(['ann', 'bob', 'cleo', 'dan', 'eve']);
    expect(read.people).toEqual({ read: 6, skipped: { 'in no conversation that is sent': 1 }, invalid: {} });
  });

  it('are all of the directory if the mapping says so', async () => {
    const { uids, read } = await planned([...cast, group('G'), says('G', 'ann')], { people: { everyone: true } });
    expect(uids).toHaveLength(6);
    expect(read.people).toEqual({ read: 6, skipped: {}, invalid: {} });
  });

  it('are no guests if the mapping leaves those out', async () => {
    const lines = [
      user('ann'),
      user('gus', { role: 'guest' }),
      group('G', { members: ['ann', 'gus'] }),
      says('G', 'ann'),
    ];
    const { uids, members, read } = await planned(lines, { people: { guests: 'skip', everyone: true } });
    expect(uids).toEqual(['ann']);
    expect(members.map(({ uid }) => uid)).toEqual(['ann']);
    expect(read.people.skipped).toEqual({ 'left out by the mapping': 1 });
    expect(read.members).toEqual({ read: 2, skipped: { 'left out by the mapping': 1 }, invalid: {} });
  });

  it('are none of a group of which nothing is sent', async () => {
    const { uids, groups, read } = await planned([
      ...cast,
      group('G'),
      group('Silent', { members: ['zoe'] }),
      says('G', 'ann'),
    ]);
    expect(uids).toEqual(['ann']);
    expect(groups).toHaveLength(1);
    expect(read.groups).toEqual({ read: 2, skipped: { 'nothing of it is sent': 1 }, invalid: {} });
    expect(read.members).toEqual({
      read: 2,
      skipped: { 'nothing of the group is sent': 1, 'no list of members, and not decided': 1 },
      invalid: {},
    });
  });
});

describe('members who come along', () => {
  const joined = async (membership: object, fields: object = {}) => {
    const memberships = [{ user: 'bob', ...membership }];
    const lines = [
      user('ann'),
      user('bob'),
      group('G', { members: ['bob'], memberships, ...fields }),
      says('G', 'ann'),
    ];
    return await planned(lines, { owner: 'creator' });
  };

  it('have the scope of the export; the owner is an admin', async () => {
    const memberships = [{ user: 'bob', scope: 'moderator' }];
    const fields = { members: ['ann', 'bob', 'cleo'], memberships, creator: 'ann' };
    const lines = [user('ann'), user('bob'), user('cleo'), group('G', fields), says('G', 'ann')];
    const { members } = await planned(lines, { owner: 'creator' });
    expect(Object.fromEntries(members.map(({ uid, scope }) => [uid, scope]))).toEqual({
      ann: 'admin',
      bob: 'moderator',
      cleo: undefined,
    });
  });

  it('have not left', async () => {
    const { members, read, uids } = await joined({ leftAtMs: first * 1000 });
    expect(members).toEqual([]);
    expect(uids).toEqual(['ann']);
    expect(read.members).toEqual({
      read: 2,
      skipped: { 'left the group': 1, 'wrote in the group, and is not in its list': 1 },
      invalid: {},
    });
  });

  it.each([
    ['writers', ['ann', 'zoe'], { 'account is deleted': 1 }],
    ['none', [], { 'left out by the mapping': 2, 'account is deleted': 1 }],
    ['ask', [], { 'no list of members, and not decided': 2, 'account is deleted': 1 }],
  ] as const)(
    'are those who wrote in a group without a list, if the mapping says %s',
    async (unlisted, uids, skipped) => {
      const lines = [
        user('ann'),
        user('gone', { isDeleted: true }),
        group('G'),
        ...['ann', 'ann', 'gone', 'zoe'].map((author, index) => says('G', author, index + 1)),
      ];
      const { author: _, ...byNobody } = says('G', '', 9);
      const { members, read } = await planned([...lines, byNobody], { members: unlisted });
      expect(members.map(({ uid }) => uid)).toEqual(uids);
      expect(read.members).toEqual({ read: 3, skipped, invalid: {} });
    },
  );

  it('may be banned', async () => {
    const { members, uids } = await joined({ isBanned: true, joinedAtMs: first * 1000 });
    expect(members).toEqual([expect.objectContaining({ uid: 'bob', isBanned: true })]);
    expect(uids).toEqual(['ann', 'bob']);
  });

  it('are not those of whom there is only a ban, unless they come anyway', async () => {
    const group1 = group('G', {
      members: ['ann'],
      memberships: ['bob', 'cleo'].map((one) => ({ user: one, isBanned: true })),
    });
    const { members, uids, read } = await planned([
      user('ann'),
      user('bob'),
      user('cleo'),
      group1,
      says('G', 'ann'),
      says('G', 'cleo', 2),
    ]);
    expect(members.map(({ uid, isBanned = false }) => [uid, isBanned])).toEqual([
      ['ann', false],
      ['cleo', true],
    ]);
    expect(uids).toEqual(['ann', 'cleo']);
    expect(read.members).toEqual({ read: 3, skipped: { 'known only as banned': 1 }, invalid: {} });
  });

  it('are described by the export', async () => {
    const lines = [user('ann'), group('G', { members: ['ann', 'nobody'] }), says('G', 'ann')];
    const { members, read } = await planned(lines);
    expect(members).toHaveLength(1);
    expect(read.members).toEqual({ read: 2, skipped: {}, invalid: { 'nothing describes the person': 1 } });
  });

  it.each([
    ['when the export says', { joinedAtMs: (first - 50) * 1000 }, { createdAtMs: (first - 100) * 1000 }, first - 50],
    ['with the first message if the export does not say', {}, { createdAtMs: (first - 100) * 1000 }, first],
    ['with the group at the earliest', { joinedAtMs: 1000 }, { createdAtMs: (first - 100) * 1000 }, first - 100],
    ['with the first message of a group without a time at the earliest', { joinedAtMs: 1000 }, {}, first],
    ['now at the latest', { joinedAtMs: (nowSeconds + 500) * 1000 }, {}, nowSeconds],
  ])('joined %s', async (_, membership, fields, expected) => {
    const { members, groups, store } = await joined(membership, fields);
    expect(members).toEqual([{ memberId: 'g_member_bob', guid: 'g', uid: 'bob', joinedAt: expected }]);
    expect(groups[0]!.createdAt).toBeLessThanOrEqual(expected);
    const assumed = 'joinedAtMs' in membership ? 0 : 1;
    expect(store.arrivals.count(0).find(({ kind }) => kind === 'members')).toMatchObject({
      planned: 1,
      pending: 1,
      assumed,
    });
  });
});

describe('a second plan', () => {
  const lines = (name: string, members: readonly string[], memberships: readonly object[] = []) => [
    user('ann', { name }),
    user('bob'),
    group('G', { members, memberships }),
    says('G', 'ann'),
  ];
  const again = (
    scene: Awaited<ReturnType<typeof planned>>,
    name: string,
    ...members: [readonly string[], (readonly object[])?]
  ) => planned(lines(name, ...members), {}, scene);
  const countOf = (store: Store, destination: number, kind: string) =>
    store.arrivals.count(destination).find((count) => count.kind === kind);

  it('counts who was imported and is described otherwise now, and no longer once it is as before', async () => {
    const scene = await planned(lines('Ann', ['bob']));
    const id = await deliver(scene.store, 'imported');
    await again(scene, 'Anne', ['bob']);
    expect(countOf(scene.store, id, 'people')).toMatchObject({ planned: 2, imported: 2, changed: 1 });
    await again(scene, 'Ann', ['bob']);
    expect(countOf(scene.store, id, 'people')).toMatchObject({ planned: 2, imported: 2, changed: 0 });
  });

  it('does not count a person as changed who was made as described now', async () => {
    const scene = await planned(lines('Ann', ['bob']));
    await deliver(scene.store, 'sent');
    await again(scene, 'Anne', ['bob']);
    const id = await deliver(scene.store, 'imported');
    expect(countOf(scene.store, id, 'people')).toMatchObject({ imported: 2, changed: 0 });
  });

  it('counts members who left since as withdrawn, and forgets those who were never asked for', async () => {
    const scene = await planned(lines('Ann', ['bob']));
    const id = await deliver(scene.store, 'imported');
    await again(scene, 'Ann', [], [{ user: 'bob', leftAtMs: first * 1000 }]);
    expect(countOf(scene.store, id, 'members')).toMatchObject({ planned: 0, imported: 0, withdrawn: 1 });
    expect(countOf(scene.store, id, 'people')).toMatchObject({ planned: 1, imported: 1, withdrawn: 1 });
    const unsent = await planned(lines('Ann', ['bob']));
    expect((await again(unsent, 'Ann', [], [{ user: 'bob', leftAtMs: first * 1000 }])).uids).toEqual(['ann']);
    expect(countOf(unsent.store, 0, 'members')).toBeUndefined();
  });
});
