import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultRules } from '../../../src/mapping/rules.ts';
import { listLosses, lossExample, lossKinds } from '../../../src/report/collect/losses/count-losses.ts';
import { Tally } from '../../../src/report/tally.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolderInMemory();

type Request = Parameters<typeof sessionRequest>[1];

/** Count and result, by name, for a plan of an export. */
async function lossesIn(
  path: string,
  changes: Request = {},
): Promise<Record<string, [count: number, becomes: string]>> {
  const { report } = await planExport(await sessionRequest(home.make(), { from: [path], ...changes }));
  return Object.fromEntries(report.losses.map(({ name, count, becomes }) => [name, [count, becomes]]));
}

const countsIn = async (path: string, changes?: Request) =>
  Object.fromEntries(Object.entries(await lossesIn(path, changes)).map(([name, [count]]) => [name, count]));

const everyFeature = 'samples/slack/every-feature/export';

/** Records in the sample's own expectation, counted without Chatferry's code. */
const records = readFileSync('samples/slack/every-feature/expected.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { type: string; record?: Record<string, unknown> & { kind: string } })
  .flatMap(({ record }) => (record ? [record] : []));
const messages = records.filter(({ kind }) => kind === 'message');
const having = (key: string) => messages.filter((message) => message[key] !== undefined);

describe('the losses of a sample with every feature', () => {
  it('are those that its expectation has', async () => {
    const everything = await countsIn(everyFeature, {
      mapping: 'messages: { system: keep, calls: keep, deleted: keep }',
    });
    const sent = messages.filter(({ text, attachments }) => text !== '' || attachments !== undefined);
    expect(sent.length).toBe(messages.length);
    expect(everything).toMatchObject({
      'thread links': having('threadRoot').length,
      broadcasts: having('isBroadcast').length,
      quotes: having('quoteOf').length,
      'edit marks': having('edited').length,
      'earlier versions': having('edited').length,
      'deletion marks': having('isDeleted').length,
      pins: having('isPinned').length,
      'system line marks': having('systemEvent').length - having('call').length,
      'call details': having('call').length,
      'platform facts': having('custom').length,
      mentions: having('mentions').flatMap(({ mentions }) => mentions as string[]).length,
      reactions: having('reactions')
        .flatMap(({ reactions }) => reactions as { count: number }[])
        .reduce((sum, { count }) => sum + count, 0),
      roles: records.filter(({ role }) => role === 'owner' || role === 'admin').length,
      guests: records.filter(({ role }) => String(role).endsWith('guest')).length,
      'deactivated people': records.filter(({ kind, isDeleted }) => kind === 'user' && isDeleted).length,
      'e-mail addresses': records.filter(({ email }) => email !== undefined).length,
    });
  });

  it('leave system lines, calls and deleted messages out by default, and count them', async () => {
    expect(await lossesIn(everyFeature)).toMatchObject({
      'system lines': [having('systemEvent').length - having('call').length, 'left out by messages.system: skip'],
      calls: [having('call').length, 'left out by messages.calls: skip'],
      'deleted messages': [having('isDeleted').length, 'left out by messages.deleted: skip'],
    });
  });
});

const noonMs = Date.parse('2024-03-01T12:00:00Z');
const reacted = [
  { emoji: '👍', users: ['U1', 'U2'], count: 2 },
  { emoji: ':party:', users: ['U1'], count: 1 },
];
const files = [{ name: 'a.png', url: 'https://example.com/a.png', mimeType: 'image/png' }, { name: 'b.pdf' }];

const small = [
  person('U1', { name: 'Ada', handle: 'ada.l', email: 'ada@example.com', role: 'owner', avatarUrl: 'file:///x' }),
  person('U2', { name: 'Bob', isDeleted: true, role: 'member', handle: 'Bob' }),
  person('U3', { name: 'Cleo', role: 'guest' }),
  person('U4', { name: 'Dan '.repeat(60) }),
  channel('C1', {
    name: 'general',
    topic: 't',
    description: 'd',
    creator: 'U1',
    members: ['U1', 'U2', 'U4'],
    isArchived: true,
  }),
  channel('D1', { name: '', type: 'direct', members: ['U1', 'U2'], topic: 'us' }),
  channel('D2', { name: '', type: 'direct', members: ['U1'] }),
  channel('G1', { name: '', type: 'group-direct', members: ['U1', 'U2', 'U3'] }),
  channel('C9', { name: 'silent', isArchived: true, creator: 'U1' }),
  says(1, 'C1', 'U1', 'root', { reactions: reacted, isPinned: true, mentions: ['U2'] }),
  says(2, 'C1', 'U2', 'reply', { threadRoot: 'm1', isBroadcast: true, sentAtMs: noonMs + 2001 }),
  says(3, 'C1', 'U2', 'orphan', { threadRoot: 'm0', quoteOf: 'm1' }),
  says(4, 'C1', 'U1', 'files', { attachments: files, edited: { atMs: noonMs + 9000 }, custom: { ticket: 7 } }),
  says(5, 'D1', 'U1', 'x'.repeat(150)),
  says(6, 'D2', 'U1', 'note'),
  says(7, 'G1', 'U9', 'who?'),
];
const messageFacts = {
  conversation: 1,
  sender: 1,
  sentAt: noonMs,
  state: null,
  code: null,
  isLate: null,
  bytes: 100,
} as const;
const exportOf = (folder: string) => writeRecords(join(folder, 'export.ndjson'), small);

describe('losses', () => {
  it('name a message that has each of those that messages have', async () => {
    const folder = home.make();
    const { report } = await planExport(await sessionRequest(folder, { from: exportOf(folder) }));
    const examples = Object.fromEntries(report.losses.map(({ name, example }) => [name, example]));
    expect(examples).toMatchObject({
      'thread links': 'export.ndjson:12',
      broadcasts: 'export.ndjson:12',
      quotes: 'export.ndjson:13',
      reactions: 'export.ndjson:11',
      'edit marks': 'export.ndjson:14',
      'e-mail addresses': undefined,
    });
  });

  it('name the first affected message in any order, and the same from the totals of an earlier run', () => {
    const tally = new Tally();
    const add = (seq: number, facts: object, verdict: 'planned' | 'skipped' = 'planned') =>
      tally.add({
        ...messageFacts,
        seq,
        verdict,
        reason: verdict === 'skipped' ? 'call' : null,
        facts: JSON.stringify(facts),
      });
    add(1, { pinned: 1 }, 'skipped');
    // More different facts than are remembered by their text.
    for (let seq = 2; seq < 25_000; seq++) add(seq, { reactions: seq });
    add(25_000, { pinned: 1, quotes: 0 });
    add(25_001, { pinned: 1, quotes: 0 });
    const kind = (wanted: string) => lossKinds.find(({ name }) => name === wanted)!;
    for (const { examples } of [tally, Tally.from(tally.toText()!)]) {
      const found = ['pins', 'reactions', 'quotes', 'guests'].map((name) => lossExample(kind(name), examples));
      expect(found).toEqual([25_000, 2, undefined, undefined]);
    }
  });

  it('count everything that a small export has and the service has not', async () => {
    expect(await countsIn(exportOf(home.make()))).toEqual({
      'thread links': 2,
      'replies without their root': 1,
      broadcasts: 1,
      quotes: 1,
      reactions: 3,
      'custom emoji': 1,
      'edit marks': 1,
      'earlier versions': 1,
      pins: 1,
      'files by reference': 1,
      'files without an address': 1,
      mentions: 1,
      'platform facts': 1,
      'parts of a second': 1,
      roles: 1,
      guests: 1,
      'deactivated people': 1,
      placeholders: 1,
      'e-mail addresses': 1,
      handles: 1,
      avatars: 1,
      'shortened names': 1,
      'people who never wrote': 2,
      'silent members': 4,
      'archived conversations': 1,
      'direct conversations as groups': 1,
      'group conversations without a channel': 1,
      creators: 1,
      topics: 1,
      'details of direct conversations': 1,
    });
  });

  it.each<[mapping: string, name: string, loss: unknown]>([
    [
      'messages: { threads: flat }',
      'thread links',
      [2, 'ordinary messages of the conversation; messages.threads: flat drops the thread'],
    ],
    [
      'messages: { threads: quote }',
      'thread links',
      [2, expect.stringContaining('1 begin with a quote of their root, 1 do not')],
    ],
    ['messages: { orphans: unlink }', 'replies without their root', [1, 'sent without a thread']],
    ['messages: { orphans: skip }', 'replies without their root', undefined],
    ['messages: { reactions: drop }', 'reactions', [3, 'dropped by messages.reactions: drop']],
    ['messages: { reactions: drop }', 'custom emoji', [1, 'dropped by messages.reactions: drop']],
    ['messages: { edited: keep }', 'edit marks', [1, expect.stringContaining('drops the mark')]],
    ['messages: { edited: skip }', 'edit marks', undefined],
    ['messages: { edited: skip }', 'edited messages left out', [1, 'left out by messages.edited: skip']],
    ['messages: { attachments: drop }', 'files by reference', [1, expect.stringContaining('not attached')]],
    [
      'messages: { attachments: placeholder }',
      'files without an address',
      [1, expect.stringContaining('a line of text')],
    ],
    ['messages: { mentions: drop }', 'mentions', [1, expect.stringContaining('drops their uids')]],
    ['messages: { custom: drop }', 'platform facts', [1, 'dropped by messages.custom: drop']],
    [
      'messages: { overlong: truncate, textCharsMax: 100 }',
      'cut texts',
      [1, expect.stringContaining('overlong: truncate')],
    ],
    [
      'messages: { overlong: split, textCharsMax: 100 }',
      'split texts',
      [1, expect.stringContaining('overlong: split')],
    ],
    ['people: { guests: skip }', 'guests', [1, 'their messages are left out by people.guests: skip']],
    ['people: { deleted: placeholder }', 'deactivated people', [1, expect.stringContaining('"Deleted user"')]],
    ['people: { deleted: skip }', 'deactivated people', [1, 'their messages are left out by people.deleted: skip']],
    [
      'people: { unknownAuthors: skip }',
      'placeholders',
      [1, 'their messages are left out by people.unknownAuthors: skip'],
    ],
    [
      'people: { unknownAuthors: reject }',
      'placeholders',
      [1, 'their messages are invalid by people.unknownAuthors: reject'],
    ],
    ['people: { uid: "{email}" }', 'e-mail addresses', [1, 'not migrated, but for their uids']],
    ['conversations: { owner: creator }', 'creators', undefined],
  ])('follow the mapping: %s, %s', async (mapping, name, loss) => {
    expect((await lossesIn(exportOf(home.make()), { mapping }))[name]).toEqual(loss);
  });

  it('count a text that was split once, though its parts are several', async () => {
    const records = [
      ...[person('U1', { name: 'Ada' }), channel('C1', { name: 'general', members: ['U1'] })],
      says(1, 'C1', 'U1', 'words '.repeat(100), { sentAtMs: noonMs + 1 }),
    ];
    const path = writeRecords(join(home.make(), 'export.ndjson'), records);
    expect(await countsIn(path, { mapping: 'messages: { overlong: split, textCharsMax: 100 }' })).toEqual({
      'parts of a second': 1,
      'split texts': 1,
    });
  });

  it('name metadata that gives way to the limit of the destination', async () => {
    const custom = { blob: 'x'.repeat(12_000) };
    const records = [
      ...[person('U1', { name: 'Ada' }), channel('C1', { name: 'general', members: ['U1'] })],
      says(1, 'C1', 'U1', 'small', { custom, sentAtMs: Date.now() - 1000 }),
    ];
    const path = writeRecords(join(home.make(), 'export.ndjson'), records);
    expect(await countsIn(path, { profile: 'hosted' })).toMatchObject({ 'metadata over the limit': 1 });
  });
});

describe('the kinds of losses', () => {
  it('have unique names, and are listed in docs/understand/losses.md', () => {
    const names = lossKinds.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const page = readFileSync('docs/understand/losses.md', 'utf8');
    expect(names.filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
  });

  it('are omitted if there are none', () => {
    const nothing = { archived: 0, directAsGroup: 0, groupDirect: 0, creatorsLost: 0, topicsLost: 0, directDetails: 0 };
    const nobody = { total: 0, officers: 0, guests: 0, deleted: 0, placeholders: 0, emails: 0, phones: 0, handles: 0 };
    const counts = {
      planned: {},
      skipped: new Map(),
      orphans: 0,
      subSecond: 0,
      importsPeople: false,
      silentMembers: 0,
      silentPeople: 0,
      actions: {},
      silentReactions: 0,
      relations: { friend: 0, block: 0 },
      people: nobody,
      conversations: nothing,
      found: new Map(),
      media: undefined,
    };
    const tally = new Tally();
    expect(listLosses(counts, defaultRules(), { tally, locate: String })).toEqual([]);
  });
});
