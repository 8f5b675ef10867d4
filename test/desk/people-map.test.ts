import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { init } from '../../src/commands/prepare/init.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { type FoundPeople, PeopleMap } from '../../src/desk/engine/people-map.ts';
import { loadMapping, parseRules } from '../../src/mapping/load.ts';
import type { Settings } from '../../src/lib/settings.ts';
import type { ChatRecord } from '../../src/model/records.ts';
import { never } from '../scenes/bench.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const records: readonly ChatRecord[] = [
  person('U1', { name: 'Ada', email: 'Ada@Example.com', handle: 'ada' }),
  person('U2', { name: 'Ada ', email: 'ada@example.com' }),
  person('U3', { name: 'Bob', isDeleted: true }),
  person(' U4', { name: 'Cleo' }),
  channel('C1'),
  says(1, 'C1', 'U2', 'one'),
  says(2, 'C1', 'U2', 'two'),
  says(3, 'C1', 'U1', 'three'),
  says(4, 'C1', 'bot-7', 'four'),
];

/** A planned export, its files, and the map of its people. */
async function planned(mapping?: string, all = records) {
  const folder = home.make();
  const from = [writeRecords(join(folder, 'export.ndjson'), all)];
  const mappingPath = join(folder, 'mapping.yaml');
  if (mapping !== undefined) writeFileSync(mappingPath, mapping);
  const decided: Settings[] = [];
  const decide = async (settings: Settings) => {
    decided.push(settings);
    const advisor = { begin() {}, show() {}, decide: async () => undefined };
    const files = { mappingPath, configPath: join(folder, 'chatferry.yaml'), config: {} };
    const silent = { progress: { stage: () => ({ update() {}, finish() {} }) }, signal: never };
    await init({
      ...files,
      ...silent,
      exports: from,
      settings,
      advisor,
      force: false,
      count: false,
      source: undefined,
    });
  };
  const plan = async () => {
    const text = existsSync(mappingPath) ? { mapping: readFileSync(mappingPath, 'utf8') } : {};
    return await planExport(await sessionRequest(folder, { from, ...text }));
  };
  await plan();
  const files = { store: join(folder, 'chatferry.db'), mapping: mappingPath, decide };
  const lookup = () => parseRules(readFileSync(mappingPath, 'utf8'), mappingPath).people.lookup;
  const table = () =>
    parse<Record<string, string>>(readFileSync(tableIn(folder), 'utf8'), { bom: true, columns: true });
  return { folder, files, plan, lookup, table, decided, map: new PeopleMap() };
}

const tableIn = (folder: string) => join(folder, 'chatferry.people.csv');
const isOfPeople = (name: string) => /people|mapping/.test(name);
const everyone = { search: '', only: 'all', after: null } as const;
const named = { file: 'chatferry.people.csv', id: 'id', uid: 'uid', by: 'id', missing: 'template' };

describe('a page of people', () => {
  it('has those of most messages first, with their uid and what decides it', async () => {
    const { map, files } = await planned('people: { uids: { U1: ann }, uid: "x-{id}" }');
    const { rows, next, people, unknown, leftOut } = (await map.page(files, everyone))!;
    expect(rows.map(({ id, messages, uid, setBy }) => [id, messages, uid, setBy])).toEqual([
      ['U2', 2, 'x-u2', 'template'],
      ['U1', 1, 'ann', 'mapping'],
      ['bot-7', 1, 'x-bot-7', 'template'],
      ['U3', 0, 'x-u3', 'template'],
      [' U4', 0, expect.stringMatching(/^x--u4-/), 'template'],
    ]);
    expect([next, people, leftOut]).toEqual([null, 5, 1]);
    expect(unknown).toBe(rows.filter(({ isKnown }) => !isKnown).length);
    expect(unknown).toBeGreaterThan(0);
    expect(rows.find(({ id }) => id === 'U3')).toMatchObject({ isDeleted: true, isKnown: true, isBot: false });
    expect(rows.find(({ id }) => id === 'bot-7')).toMatchObject({ isKnown: false });
    map.close();
  });

  it.each([
    ['ADA', ['U2', 'U1']],
    ['ada@example', ['U2', 'U1']],
    ['u3', ['U3']],
    ['bot-7', ['bot-7']],
    ['%', []],
    ["'; DROP TABLE person", []],
  ])('finds %s in names, handles, addresses, ids and uids', async (search, ids) => {
    const { map, files } = await planned();
    const { rows } = (await map.page(files, { ...everyone, search }))!;
    expect(rows.map(({ id }) => id)).toEqual(ids);
    map.close();
  });

  it('is one of many: together they have everyone once', async () => {
    const many = Array.from({ length: 173 }, (_, index) => person(`P${index}`));
    const { map, files } = await planned(undefined, [...records, ...many]);
    const ids: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: FoundPeople = (await map.page(files, { ...everyone, after }))!;
      expect(page.rows.length).toBeLessThanOrEqual(50);
      ids.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      after = page.next;
    }
    expect(ids.slice(0, 3)).toEqual(['U2', 'U1', 'bot-7']);
    expect(ids.toSorted()).toEqual(['U2', 'U1', 'bot-7', 'U3', ' U4', ...many.map(({ id }) => id)].toSorted());
    expect((await map.page(files, { ...everyone, after: 'nonsense' }))!.rows[0]!.id).toBe('U2');
    map.close();
  });

  it('is nothing before a plan', async () => {
    const folder = home.make();
    const files = { store: join(folder, 'chatferry.db'), mapping: join(folder, 'm.yaml'), decide: async () => {} };
    expect(await new PeopleMap().page(files, everyone)).toBeUndefined();
    await expect(new PeopleMap().set(files, { id: 'U1', uid: 'ann' })).rejects.toThrow('People are known after a plan');
  });
});

describe('a uid', () => {
  it('is written into the table, which the mapping names; with the last one it names none again', async () => {
    const { map, files, lookup, table, plan } = await planned();
    const { person: ada, before } = await map.set(files, { id: 'U1', uid: 'ann' });
    expect([ada.uid, ada.setBy, before]).toEqual(['ann', 'table', null]);
    expect(lookup()).toEqual(named);
    expect(table().map(({ id, uid }) => [id, uid])).toEqual([
      ['U1', 'ann'],
      ['U2', ''],
      ['U3', ''],
      ['bot-7', ''],
    ]);
    const { report } = await plan();
    expect(report.authors).toContainEqual({ name: 'Ada', uid: 'ann', count: 1 });
    expect(await map.set(files, { id: 'U1', uid: null })).toMatchObject({
      before: 'ann',
      person: { uid: 'u1', setBy: 'template' },
    });
    expect(lookup()).toBe('none');
    expect(table().every(({ uid }) => uid === '')).toBe(true);
    map.close();
  });

  it('is not written over one that the page has not shown', async () => {
    const { map, files, table } = await planned();
    await map.set(files, { id: 'U1', uid: 'ann', seen: 'u1' });
    const stale = map.set(files, { id: 'U1', uid: 'boris', seen: 'u1' });
    await expect(stale).rejects.toThrow('Cannot set the uid of "U1": it is "ann" by now');
    expect(table()[0]).toMatchObject({ id: 'U1', uid: 'ann' });
    map.close();
  });

  it.each([null, 'ann'])(
    'is not written over the table of another desk: before there is one, after %s',
    async (first) => {
      const { map, files, table } = await planned();
      const other = new PeopleMap();
      if (first !== null) await map.set(files, { id: 'U1', uid: first });
      const both = await Promise.allSettled([
        map.set(files, { id: 'U2', uid: 'ann-two' }),
        other.set(files, { id: 'U3', uid: 'bob-three' }),
      ]);
      const refused = both.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { message: expect.stringContaining('it has changed meanwhile') } }]);
      const uids = table().flatMap(({ uid }) => (uid === '' ? [] : [uid]));
      expect(uids.length).toBe(first === null ? 1 : 2);
      await map.set(files, { id: 'U2', uid: 'ann-two' });
      await other.set(files, { id: 'U3', uid: 'bob-three' });
      expect(table().map(({ uid }) => uid)).toEqual([first ?? '', 'ann-two', 'bob-three', '']);
      map.close();
      other.close();
    },
  );

  it('is the same table that "chatferry people" writes', async () => {
    const { writePeople } = await import('../../src/commands/prepare/people.ts');
    const { map, files, folder } = await planned();
    await map.set(files, { id: 'U2', uid: 'ann' });
    const path = join(folder, 'written.csv');
    const mapping = await loadMapping(files.mapping);
    await writePeople({ store: files.store, mapping, to: { path, mayReplace: false } });
    expect(readFileSync(tableIn(folder), 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(await map.csv(files)).toBe(readFileSync(path, 'utf8'));
    map.close();
  });

  it('that others have is marked, and only the two open people are left', async () => {
    const { map, files } = await planned();
    await map.set(files, { id: 'U1', uid: 'u2' });
    const { rows } = (await map.page(files, { ...everyone, only: 'open' }))!;
    expect(rows.map(({ id, sharedWith }) => [id, sharedWith])).toContainEqual(['U2', 'U1']);
    const set = (await map.page(files, { ...everyone, only: 'set' }))!;
    expect(set.rows.map(({ id, sharedWith }) => [id, sharedWith])).toEqual([['U1', 'U2']]);
    map.close();
  });

  it('that the mapping sets by hand is changed there', async () => {
    const { map, files } = await planned('people: { uids: { U1: ann } } # mine\n');
    expect(await map.set(files, { id: 'U1', uid: 'bea' })).toMatchObject({ before: 'ann', person: { uid: 'bea' } });
    const text = readFileSync(files.mapping, 'utf8');
    expect(parseRules(text, 'm').people.uids).toEqual({ U1: 'bea' });
    expect(text).toContain('# mine');
    await expect(map.set(files, { id: 'U1', uid: null })).rejects.toThrow('remove it there');
    map.close();
  });

  it.each([
    ['U1', 'Ann', /expected 1 to 100 characters/],
    ['U1', '', /expected 1 to 100 characters/],
    ['U9', 'ann', /No one in the plan has the id "U9"/],
    [' U4', 'ann', /cannot name this person/],
  ])('of %s cannot be %s, and nothing is written', async (id, uid, words) => {
    const { map, files, folder } = await planned();
    await expect(map.set(files, { id, uid })).rejects.toThrow(words);
    expect(readdirSync(folder).filter(isOfPeople)).toEqual([]);
    map.close();
  });

  it('goes into a table of our own if the mapping names another one, whose uids and rows of others stay', async () => {
    const { folder, files, map, lookup, table } = await plannedWithTable(
      '{ file: mine.csv, id: mail, uid: ours, by: email }',
    );
    await map.set(files, { id: 'U1', uid: 'ann' });
    expect(lookup()).toEqual({ ...named, id: 'email', by: 'email' });
    // Both have the same address: the table has one uid for them.
    expect(table().map(({ id, email, uid }) => [id, email, uid])).toEqual([
      ['U1', 'Ada@Example.com', 'ann'],
      ['U2', 'ada@example.com', 'ann'],
      ['U3', '', ''],
      ['bot-7', '', ''],
      ['', 'zoe@example.com', 'zoe'],
    ]);
    expect(readFileSync(join(folder, 'mine.csv'), 'utf8')).toBe(mine);
    await expect(map.set(files, { id: 'U3', uid: 'bob' })).rejects.toThrow('cannot name this person');
    map.close();
  });

  it('cannot be the last one that is removed if everyone has to be in the table', async () => {
    const { files, map } = await plannedWithTable(
      '{ file: mine.csv, id: mail, uid: ours, by: email, missing: reject }',
    );
    await map.import(files, Buffer.from('email,uid\nada@example.com,ann\n'));
    const text = readFileSync(files.mapping, 'utf8');
    await expect(map.set(files, { id: 'U1', uid: null })).rejects.toThrow('rejects everyone');
    expect(readFileSync(files.mapping, 'utf8')).toBe(text);
    expect((await map.page(files, { ...everyone, search: 'u1' }))!.rows[0]!.uid).toBe('ann');
    map.close();
  });
});

const mine = 'mail,ours\nada@example.com,ada-1\nzoe@example.com,zoe\n';

async function plannedWithTable(lookup: string) {
  const scene = await planned();
  writeFileSync(join(scene.folder, 'mine.csv'), mine);
  writeFileSync(scene.files.mapping, `people: { lookup: ${lookup} }\n`);
  return scene;
}

describe('a table that is given back', () => {
  it('takes the place of the present one', async () => {
    const { map, files, lookup, folder } = await planned();
    await map.set(files, { id: 'U1', uid: 'ann' });
    await map.set(files, { id: 'U3', uid: 'bob' });
    const text = (await map.csv(files)).replace('"ann"', '"ann-2"').replace(/"bob"/g, '""').replace('"U2",', '"U22",');
    const table = Buffer.from(`${text}U2,,,,,ann-2,\r\nU99,,,,,zoe,\r\n`);
    expect(await map.import(files, table)).toEqual({
      ...{ set: 3, changed: 3, cleared: 1, unmatched: 1, shared: 1, faults: [], faultCount: 0 },
    });
    expect(readFileSync(tableIn(folder))).toEqual(table);
    expect(lookup()).toEqual(named);
    const { rows } = (await map.page(files, { ...everyone, only: 'set' }))!;
    expect(rows.map(({ id, uid, sharedWith }) => [id, uid, sharedWith])).toEqual([
      ['U2', 'ann-2', 'U1'],
      ['U1', 'ann-2', 'U2'],
    ]);
    map.close();
  });

  it.each([
    ['id,uid\nU1,Ann Archer\nU2,\nU3,a b\n', [/^chatferry\.people\.csv:2: uid: expected/, /:4: uid: expected/]],
    ['id,uid\nU1,ann\nU1,bob\n', [/:3: "U1" is "bob" here and "ann" above/]],
    ['id,name\nU1,Ann\n', [/:2: expected a column "uid"/]],
    ['id,uid\n', [/no row/]],
  ])('changes nothing if it has a fault, which is named with its line: %j', async (text, faults) => {
    const { map, files, folder } = await planned();
    await map.set(files, { id: 'U1', uid: 'kept' });
    const before = [
      readFileSync(tableIn(folder), 'utf8'),
      readFileSync(files.mapping, 'utf8'),
      readdirSync(folder).filter(isOfPeople),
    ];
    await expect(map.import(files, Buffer.from(''))).rejects.toThrow('the file is empty');
    const result = await map.import(files, Buffer.from(text));
    expect(result).toMatchObject({ set: 0, faultCount: faults.length });
    expect(result.faults).toEqual(faults.map((fault) => expect.stringMatching(fault)));
    expect([
      readFileSync(tableIn(folder), 'utf8'),
      readFileSync(files.mapping, 'utf8'),
      readdirSync(folder).filter(isOfPeople),
    ]).toEqual(before);
    map.close();
  });

  it('without a uid leaves everyone to the template', async () => {
    const { map, files, lookup } = await planned();
    await map.set(files, { id: 'U1', uid: 'ann' });
    expect(await map.import(files, Buffer.from('id,uid\nU1,\n'))).toMatchObject({ set: 0, cleared: 1, faults: [] });
    expect(lookup()).toBe('none');
    map.close();
  });

  it('mends a present one that cannot be used', async () => {
    const { map, files, folder } = await planned();
    await map.set(files, { id: 'U1', uid: 'ann' });
    writeFileSync(tableIn(folder), 'id,uid\nU1,Not A Uid\n');
    await expect(map.page(files, everyone)).rejects.toThrow('chatferry.people.csv:2');
    expect(await map.import(files, Buffer.from('id,uid\nU1,bea\n'))).toMatchObject({ set: 1, changed: 1 });
    expect((await map.page(files, { ...everyone, only: 'set' }))!.rows[0]).toMatchObject({ id: 'U1', uid: 'bea' });
    map.close();
  });
});

describe('people who may be one', () => {
  it('are grouped by what they have in common, and stay two until someone merges them', async () => {
    const { map, files, plan } = await planned();
    for (const [by, value] of [
      ['email', 'ada@example.com'],
      ['name', 'ada'],
    ] as const) {
      const { rows } = await map.duplicates(files, { by, after: null });
      expect(rows.map((group) => [group.value, group.people.map(({ id }) => id), group.more])).toEqual([
        [value, ['U2', 'U1'], 0],
      ]);
    }
    expect((await map.duplicates(files, { by: 'handle', after: null })).rows).toEqual([]);
    expect(await map.merge(files, ['U1', 'U2'])).toEqual([['U1', 'U2']]);
    expect((await map.duplicates(files, { by: 'email', after: null })).rows).toEqual([]);
    const { rows } = (await map.page(files, { ...everyone, search: 'ada' }))!;
    expect(rows.map(({ id, setBy, mergedInto }) => [id, setBy, mergedInto])).toEqual([
      ['U2', 'merged', 'U1'],
      ['U1', 'template', null],
    ]);
    await expect(map.merge(files, ['U3', 'U2'])).rejects.toThrow('"U2" is part of "U1" already');
    await plan();
    const after = (await map.page(files, { ...everyone, search: 'ada' }))!;
    expect(after.rows.map(({ id, messages }) => [id, messages])).toEqual([['U1', 3]]);
    // Whom it had merged goes with the one who is merged.
    expect(await map.merge(files, ['U3', 'U1'])).toEqual([['U3', 'U1', 'U2']]);
    map.close();
  });
});

describe('the map', () => {
  it('sees what others change: the table, the mapping, the plan', async () => {
    const { map, files, folder, plan } = await planned();
    const uidOf = async (id: string) =>
      (await map.page(files, { ...everyone, search: id.toLowerCase() }))!.rows[0]?.uid;
    await map.set(files, { id: 'U1', uid: 'ann' });
    writeFileSync(tableIn(folder), 'id,uid\nU1,from-outside\n');
    expect(await uidOf('U1')).toBe('from-outside');
    writeFileSync(files.mapping, 'people: { uid: "y-{id}" }\n');
    expect(await uidOf('U1')).toBe('y-u1');
    writeRecords(join(folder, 'export.ndjson'), [...records, person('U77')]);
    expect(await uidOf('U77')).toBeUndefined();
    await plan();
    expect(await uidOf('U77')).toBe('y-u77');
    map.close();
  });
});
