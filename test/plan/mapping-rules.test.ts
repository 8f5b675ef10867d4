import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ChatRecord } from '../../src/model/records.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, noonMs, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

interface Given {
  readonly records: readonly ChatRecord[];
  readonly mapping?: string;
  /** Files next to the mapping, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly changes?: Parameters<typeof sessionRequest>[1];
}

async function requestOf({ records, mapping, files = {}, folder = home.make(), changes }: Given) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const exports = [writeRecords(join(folder, 'export.ndjson'), records)];
  return await sessionRequest(folder, { from: exports, ...(mapping !== undefined && { mapping }), ...changes });
}

async function imported(given: Given) {
  const folder = given.folder ?? home.make();
  const { report, exit } = await importExport(await requestOf({ ...given, folder }));
  return { report, exit, folder, contents: byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))) };
}

const planned = async (given: Given) => (await planExport(await requestOf(given))).report;

/** One value from the store, or from the sandbox's data. */
function ask(folder: string, sql: string, file = 'chatferry.db'): unknown[] {
  const db = new Database(join(folder, file), { readonly: true });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}

const people = [person('U1'), person('U2'), person('U3')];

describe('people.lookup', () => {
  const records = [
    person('U1', { email: 'Ada@Example.com' }),
    person('U2', { email: 'bob@example.com' }),
    channel('C1'),
    says(1, 'C1', 'U1', 'one'),
    says(2, 'C1', 'U2', 'two'),
  ];
  const csv = 'mail;uid\nada@example.com;ada-1\ncarl@example.com;carl-1\n';
  const mapping = (more: string) => `people: { lookup: { file: people.csv, id: mail, uid: uid, by: email${more} } }\n`;

  it('gives people the uids that they have, and the others the template', async () => {
    const { folder, exit } = await imported({ records, mapping: mapping(''), files: { 'people.csv': csv } });
    expect(exit).toBe(0);
    expect(ask(folder, 'SELECT uid FROM person ORDER BY source_id')).toEqual(['ada-1', 'u2']);
  });

  it('rejects messages of people missing from the lookup, if the mapping says so', async () => {
    const report = await planned({ records, mapping: mapping(', missing: reject'), files: { 'people.csv': csv } });
    expect(report.totals).toMatchObject({ planned: 1, invalid: 1 });
    expect(report.invalid).toMatchObject([{ code: 'not-in-lookup', count: 1 }]);
  });

  it('may be JSON', async () => {
    const { folder } = await imported({
      records,
      mapping: 'people: { lookup: { file: people.json, id: slack, uid: ours } }\n',
      files: { 'people.json': '[{"slack":"U1","ours":"ada-1"},{"slack":"U2","ours":17}]' },
    });
    expect(ask(folder, 'SELECT uid FROM person ORDER BY source_id')).toEqual(['ada-1', '17']);
  });

  it.each([
    [
      'mail;uid\nada@example.com;Ada Lovelace\n',
      'people.csv:2: uid: expected 1 to 100 characters of a-z, 0-9, - and _, found "Ada Lovelace"',
    ],
    ['mail;id\nada@example.com;ada\n', 'people.csv:2: expected a column "uid", found mail, id'],
    ['mail;uid\na@b.c;x\nA@B.C;y\n', 'people.csv:3: "A@B.C" is "y" here and "x" above'],
    ['mail;uid\n', 'it names nobody'],
  ])('is refused with its place: %j', async (text, words) => {
    await expect(planned({ records, mapping: mapping(''), files: { 'people.csv': text } })).rejects.toThrow(
      `Cannot use people.lookup "people.csv": ${words}`,
    );
  });

  it('is part of the mapping: a changed table is a changed mapping', async () => {
    const folder = home.make();
    await imported({ records, mapping: mapping(''), files: { 'people.csv': csv }, folder });
    const again = imported({
      records,
      mapping: mapping(''),
      files: { 'people.csv': `${csv}bob@example.com;bob-1\n` },
      folder,
    });
    await expect(again).rejects.toThrow('Cannot plan with a changed mapping');
  });
});

describe('people.merge', () => {
  it('makes two accounts one person, who writes, is mentioned and is a member once', async () => {
    const records = [
      ...people,
      channel('C1', { members: ['U1', 'U2', 'U3'] }),
      channel('D1', { type: 'direct', name: '', members: ['U1', 'U2'] }),
      says(1, 'C1', 'U1', 'from the old account'),
      says(2, 'C1', 'U2', 'from the new one', { mentions: ['U2'] }),
      says(3, 'C1', 'U3', 'hello'),
      says(4, 'D1', 'U2', 'note to self'),
    ];
    const { folder, report, exit } = await imported({ records, mapping: 'people: { merge: [[U2, U1]] }\n' });
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ planned: 4, imported: 4 });
    expect(ask(folder, 'SELECT uid FROM person ORDER BY uid')).toEqual(['u2', 'u3']);
    expect(ask(folder, 'SELECT DISTINCT sender FROM message ORDER BY seq')).toHaveLength(2);
    expect(ask(folder, `SELECT receiver_type FROM conversation WHERE source_id = 'D1'`)).toEqual(['group']);
    expect(ask(folder, `SELECT payload ->> '$.data.metadata.chatferry.mentions' FROM message WHERE seq = 2`)).toEqual([
      '["u2"]',
    ]);
  });
});

describe('people.guests, people.deleted and people.unknownAuthors', () => {
  const records = [
    person('U1'),
    person('U2', { role: 'guest' }),
    person('U3', { isDeleted: true, name: 'Gone Girl', avatarUrl: 'https://example.com/a.png' }),
    channel('C1'),
    ...['U1', 'U2', 'U3', 'U9'].map((author, index) => says(index + 1, 'C1', author, `by ${author}`)),
  ];

  it('leave messages out, each by its rule', async () => {
    const mapping = 'people: { guests: skip, deleted: skip, unknownAuthors: skip }\n';
    const { skipped, totals } = await planned({ records, mapping });
    expect(totals).toMatchObject({ read: 4, planned: 1, skipped: 3 });
    expect(skipped.map(({ code }) => code).sort()).toEqual([
      'guest message',
      'message of a deleted person',
      'unknown author',
    ]);
  });

  it('take the name and picture of deleted people away', async () => {
    const { folder } = await imported({ records, mapping: 'people: { uid: "{name}", deleted: placeholder }\n' });
    expect(ask(folder, `SELECT details FROM person WHERE source_id = 'U3'`)).toEqual([
      '{"uid":"u3","name":"Deleted user"}',
    ]);
  });
});

describe('conversations.merge', () => {
  const records = [
    ...people,
    channel('C1', { name: 'one' }),
    channel('C2', { name: 'two' }),
    says(1, 'C1', 'U1', 'a'),
    says(3, 'C1', 'U1', 'c'),
    says(2, 'C2', 'U2', 'b'),
    says(4, 'C2', 'U2', 'd', { threadRoot: 'm2' }),
  ];

  it('sends both to the first, in order of time, under the muids that they have anyway', async () => {
    const apart = await imported({ records });
    const merged = await imported({ records, mapping: 'conversations: { merge: [[C1, C2]] }\n' });
    expect(merged.contents).toEqual({ group_c1: ['a', 'b', 'c', 'd'] });
    expect(merged.report.verify).toMatchObject({ same: 4, missing: 0 });
    const muids = 'SELECT muid FROM message ORDER BY muid';
    expect(ask(merged.folder, muids)).toEqual(ask(apart.folder, muids));
  });

  it('keeps the exclusion of one of them', async () => {
    const { contents } = await imported({ records, mapping: 'conversations: { merge: [[C1, C2]], exclude: [two] }\n' });
    expect(contents).toEqual({ group_c1: ['a', 'c'] });
  });

  it.each([
    [['C1', 'C2'], 'private' as const],
    [['C2', 'C1'], 'private' as const],
  ])('reports non-public content that becomes public: %j', async (order, type) => {
    const changed = records.map((record) =>
      record.kind === 'conversation' && record.id === order[1] ? { ...record, type } : record,
    );
    const report = await planned({ records: changed, mapping: `conversations: { merge: [[${order.join(', ')}]] }\n` });
    expect(report.problems.map(({ code }) => code)).toContain('merged-into-public');
    const kept = await planned({
      records: changed,
      mapping: `conversations: { merge: [[${order.join(', ')}]], types: { ${order[0]}: private } }\n`,
    });
    expect(kept.problems.map(({ code }) => code)).not.toContain('merged-into-public');
  });
});

describe('groups', () => {
  it('get names, types and owners', async () => {
    const records = [
      ...people,
      channel('C1', { creator: 'U1' }),
      channel('C2', { creator: 'U2', type: 'private' }),
      channel('G1', { type: 'group-direct', members: ['U1', 'U2', 'U3'] }),
      ...['C1', 'C2', 'G1'].map((id, index) => says(index + 1, id, 'U1', id)),
    ];
    const mapping = `conversations:
  rename: { C1: The lobby }
  type: public
  types: { C1: private }
  owner: creator
  owners: { C2: boss }
`;
    const { folder, exit } = await imported({ records, mapping });
    expect(exit).toBe(0);
    const details = ask(folder, 'SELECT details FROM conversation ORDER BY source_id').map((text) =>
      JSON.parse(String(text)),
    );
    expect(details).toMatchObject([
      { name: 'The lobby', type: 'private', owner: 'u1' },
      { name: 'C2', type: 'public', owner: 'boss' },
      { type: 'private' },
    ]);
    expect(details[2]).not.toHaveProperty('owner');
  });

  it('are sent in the order that the mapping names', async () => {
    const records = [
      ...people,
      ...['C1', 'C2', 'C3', 'C4'].map((id) => channel(id)),
      ...[1, 2, 3].map((number) => says(number, 'C1', 'U1', `C1 ${number}`)),
      ...[4, 5].map((number) => says(number, 'C2', 'U1', `C2 ${number}`)),
      says(6, 'C3', 'U1', 'C3'),
      says(7, 'C4', 'U1', 'C4'),
    ];
    const order = async (mapping: string) => {
      const { folder } = await imported({
        records,
        mapping,
        changes: { concurrency: 1, overrides: { batchItemsMax: 1 } },
      });
      const texts = ask(folder, `SELECT data ->> '$.text' FROM message ORDER BY id`, 'chatferry.sandbox.db');
      return [...new Set(texts.map((text) => String(text).slice(0, 2)))];
    };
    expect((await order('{}'))[0]).toBe('C1');
    expect(await order('conversations: { order: recent }')).toEqual(['C4', 'C3', 'C2', 'C1']);
    expect((await order('conversations: { first: [C3, C2] }')).slice(0, 3)).toEqual(['C3', 'C2', 'C1']);
  });
});

describe('messages.orphans', () => {
  const orphan = says(2, 'C1', 'U2', 'an answer', { threadRoot: 'm1' });
  const records = [...people, channel('C1'), orphan, says(3, 'C1', 'U1', 'else')];
  const withRoot = [...records, says(1, 'C1', 'U1', 'the root')];
  const thread = `SELECT payload ->> '$.data.metadata.chatferry.thread' FROM message WHERE origin_id = 'm2'`;

  it('skips replies whose root is missing, until it exists', async () => {
    const folder = home.make();
    const mapping = 'messages: { orphans: skip }\n';
    const first = await imported({ records, mapping, folder });
    expect(first.report.totals).toMatchObject({ planned: 1, skipped: 1 });
    expect(first.report.skipped).toMatchObject([{ code: 'reply without its root', count: 1 }]);
    const then = await imported({ records: withRoot, mapping, folder });
    expect(then.report.totals).toMatchObject({ planned: 3, skipped: 0, imported: 3 });
  });

  it('takes the link away, or keeps it', async () => {
    const unlinked = await imported({ records, mapping: 'messages: { orphans: unlink }\n' });
    expect(ask(unlinked.folder, thread)).toEqual([null]);
    const keys = `SELECT count(*) FROM message WHERE data ->> '$.metadata.chatferry.key' = muid`;
    expect(ask(unlinked.folder, keys, 'chatferry.sandbox.db')).toEqual([2]);
    expect(ask((await imported({ records })).folder, thread)).not.toEqual([null]);
    const linked = await imported({ records: withRoot, mapping: 'messages: { orphans: unlink }\n' });
    expect(ask(linked.folder, thread)).not.toEqual([null]);
  });
});

describe('messages.threads: quote', () => {
  const mapping = 'messages: { threads: quote }\n';
  const root = says(1, 'C1', 'U1', '\n> quoted\nThe **question**\nand more');
  const reply = (number: number) => says(number, 'C1', 'U2', `answer ${number}`, { threadRoot: 'm1' });

  it("begins replies with the root's first own line", async () => {
    const { contents, report } = await imported({ records: [...people, channel('C1'), root, reply(2)], mapping });
    expect(contents.group_c1?.[1]).toBe('> The **question**\n\nanswer 2');
    expect(report.contents).toContainEqual(expect.objectContaining({ planned: 1 }));
  });

  it('finds roots read by an earlier plan, and never quotes a message that is not sent', async () => {
    const folder = home.make();
    const parts = (name: string, records: readonly ChatRecord[]) => writeRecords(join(folder, name), records);
    const first = [parts('1.ndjson', [...people, channel('C1')]), parts('2.ndjson', [root])];
    await importExport(await sessionRequest(folder, { mapping, from: first }));
    const deleted = says(5, 'C1', 'U1', 'a secret', { isDeleted: true });
    const later = parts('3.ndjson', [reply(4), deleted, says(6, 'C1', 'U2', 'on that', { threadRoot: 'm5' })]);
    const { report } = await importExport(await sessionRequest(folder, { mapping, from: [...first, later] }));
    expect(report.totals).toMatchObject({ planned: 3, imported: 3, skipped: 1 });
    expect(byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))).group_c1?.slice(1)).toEqual([
      '> The **question**\n\nanswer 4',
      'on that',
    ]);
  });
});

describe('messages.overlong: split', () => {
  const long = Array.from({ length: 60 }, (_, index) => `sentence number ${index}`).join(' ');
  const mapping = 'messages: { textCharsMax: 200, overlong: split }\n';
  const records = [
    ...people,
    channel('C1'),
    says(1, 'C1', 'U1', 'before'),
    says(2, 'C1', 'U1', long),
    says(3, 'C1', 'U1', 'after'),
  ];

  it('sends a long text in several messages that count once', async () => {
    const { report, exit, contents, folder } = await imported({ records, mapping });
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ read: 3, planned: 3, imported: 3, pending: 0, duplicates: 0 });
    const texts = contents.group_c1!;
    expect(texts.length).toBeGreaterThan(7);
    expect(texts.slice(1, -1).join(' ')).toBe(long);
    expect(texts.every((text) => text.length <= 200)).toBe(true);
    expect([texts[0], texts.at(-1)]).toEqual(['before', 'after']);
    expect(report.verify).toMatchObject({ same: texts.length, missing: 0, extra: 0, different: 0 });
    const parts = ask(folder, `SELECT muid FROM message WHERE origin_id = 'm2' ORDER BY part`) as string[];
    expect(parts.slice(1)).toEqual(parts.slice(1).map((_, index) => `${parts[0]}p${index + 2}`));
  });

  it('is imported when all its parts are, and pending before', async () => {
    const folder = home.make();
    const stop = new AbortController();
    // Three messages a request: the second request is in the middle of the parts.
    const request = await requestOf({
      records,
      mapping,
      folder,
      changes: { overrides: { batchItemsMax: 3 }, concurrency: 1 },
    });
    let updates = 0;
    const progress = {
      stage: (name: string) => ({
        update: ({ done }: { done?: number }) => {
          if (name === 'Sending' && done && ++updates === 1) stop.abort();
        },
        finish() {},
      }),
    };
    const half = await importExport({ ...request, progress: progress as never, stopping: stop.signal });
    expect(half.report.totals).toMatchObject({ planned: 3, imported: 1, pending: 2 });
    const { report, exit } = await importExport(request);
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ planned: 3, imported: 3, pending: 0 });
  });

  it('is read again without being repeated, and forgets parts of a version that is gone', async () => {
    const folder = home.make();
    await planned({ records, mapping, folder });
    const shorter = records.map((record) =>
      record.kind === 'message' && record.origin.id === 'm2' ? { ...record, text: long.slice(0, 300) } : record,
    );
    const report = await planned({ records: shorter, mapping, folder });
    expect(report.totals).toMatchObject({ read: 3, planned: 3, duplicates: 0 });
    expect(ask(folder, `SELECT count(*) FROM message WHERE origin_id = 'm2'`)).toEqual([2]);
  });

  it('takes the parts of one version where two archives hold different ones', async () => {
    const folder = home.make();
    const edited = records.map((record) =>
      record.kind === 'message' && record.origin.id === 'm2'
        ? { ...record, text: long.slice(0, 300), edited: { atMs: noonMs + 60_000 } }
        : record,
    );
    const exports = [
      writeRecords(join(home.make(), 'a.ndjson'), records),
      writeRecords(join(home.make(), 'b.ndjson'), edited),
    ];
    const { report, exit } = await importExport(await sessionRequest(folder, { mapping, from: exports }));
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ read: 3, planned: 3, imported: 3 });
    expect(sandboxContents(join(folder, 'chatferry.sandbox.db')).get('group_c1')).toHaveLength(4);
  });

  it('leaves sent parts unchanged when the message grows later', async () => {
    const folder = home.make();
    const short = records.map((record) =>
      record.kind === 'message' && record.origin.id === 'm2' ? { ...record, text: 'short' } : record,
    );
    await imported({ records: short, mapping, folder });
    const { report, contents } = await imported({ records, mapping, folder });
    expect(report.totals).toMatchObject({ planned: 3, imported: 3, failed: 0, pending: 0 });
    expect(contents.group_c1).toEqual(['before', 'short', 'after']);
  });
});

describe('a module', () => {
  const records = [
    person('U1', { name: 'Ada' }),
    person('U2'),
    channel('C1'),
    channel('C2'),
    says(1, 'C1', 'U1', 'hello'),
    says(2, 'C1', 'U1', '/secret'),
    says(3, 'C1', 'U2', 'boom'),
    says(4, 'C1', 'U2', 'wrong'),
    says(5, 'C2', 'U2', 'elsewhere'),
  ];
  const module = `
    export function mapPerson(user, { next }) {
      const ours = next(user);
      return user.id === 'U1' ? { ...ours, uid: 'ada', metadata: { from: 'module' } } : ours;
    }
    export function mapConversation(conversation, { next }) {
      if (conversation.id === 'C2') throw new Error('no idea');
      return { ...next(conversation), name: 'By the module' };
    }
    export function mapMessage(message: { readonly text: string }, { next }) {
      if (message.text === '/secret') return { skip: 'slash command' };
      if (message.text === 'boom') throw new Error('cannot do that');
      if (message.text === 'wrong') return { text: 'no payload' };
      const payload = next({ ...message, text: message.text.toUpperCase() });
      return { ...payload, tags: ['module'] };
    }
  `;
  const mapping = 'module: ./my.ts\n';

  it('replaces any step; its mistakes cost a record each, with the place, and never the run', async () => {
    const { report, contents, folder, exit } = await imported({ records, mapping, files: { 'my.ts': module } });
    expect(exit).toBe(3);
    expect(report.totals).toMatchObject({ read: 5, skipped: 1, invalid: 2, imported: 2 });
    expect(report.skipped).toMatchObject([{ code: 'slash command' }]);
    expect(report.invalid[0]).toMatchObject({ code: 'module-failed', count: 2 });
    expect(
      report.invalid[0]?.examples.map(({ location, detail }) => [location.replace(/^.*export/, 'export'), detail]),
    ).toEqual([
      ['export.ndjson:8', 'mapMessage failed: cannot do that'],
      ['export.ndjson:9', expect.stringMatching(/^mapMessage answered something else than a result: .*/)],
    ]);
    expect(contents.group_c1).toEqual(['HELLO']);
    expect(ask(folder, 'SELECT uid FROM person ORDER BY uid')).toEqual(['ada', 'u2']);
    expect(ask(folder, `SELECT details ->> '$.name' FROM conversation ORDER BY source_id`)).toEqual([
      'By the module',
      'C2',
    ]);
    expect(report.problems.find(({ code }) => code === 'module-failed')?.examples[0]?.detail).toBe(
      'mapConversation failed: no idea',
    );
  });

  it('is part of the mapping: another text of it is another mapping', async () => {
    const folder = home.make();
    await imported({ records, mapping, files: { 'my.ts': module }, folder });
    const again = imported({ records, mapping, files: { 'my.ts': `${module}\n// changed` }, folder });
    await expect(again).rejects.toThrow('Cannot plan with a changed mapping');
  });

  it.each([
    ['export const mapMessage = 1;', 'expected a function as mapMessage, found number'],
    [
      'export const mapMesage = () => {};',
      'expected at least one of mapPerson, mapConversation, mapMessage, found none',
    ],
    ['throw new Error("not today");', 'not today'],
  ])('is refused if it cannot be used: %s', async (text, words) => {
    await expect(planned({ records, mapping, files: { 'my.ts': text } })).rejects.toThrow(
      `Cannot use the module "./my.ts": ${words}`,
    );
  });

  it('must keep the identity of a record, return synchronously, and leave our key unchanged', async () => {
    const asked = async (body: string) => {
      const text = `export const mapMessage = (message, { next }) => ${body};`;
      const report = await planned({ records: records.slice(0, 5), mapping, files: { 'my.ts': text } });
      return report.invalid[0]?.examples[0]?.detail;
    };
    expect(await asked(`next({ ...message, origin: { ...message.origin, id: 'x' } })`)).toMatch(
      /next\(\) was given another record/,
    );
    expect(await asked(`Promise.resolve(next(message))`)).toMatch(/must not be asynchronous/);
    const payload = `{ category: 'message', type: 'text', data: { text: 'x', metadata: { chatferry: { v: 1, key: 'other' } } } }`;
    expect(await asked(`(${payload})`)).toMatch(/another key in data.metadata.chatferry/);
  });
});
