import { describe, expect, it } from 'vitest';
import { copyFault } from '../../../src/sources/tables/copy/copy-fault.ts';
import { ExportCopy } from '../../../src/sources/tables/copy/export-copy.ts';
import { namesInQuery } from '../../../src/sources/tables/copy/query-names.ts';
import { conversationsIn, faultsIn, filesIn, messageColumns, messagesIn, readCsv, readJson } from './export-of.ts';
import { rowOf } from './rows.ts';

const people = { 'people.csv': 'id,first,last,secret\n1,Ann,Lee,x\n2,Ben,Oh,\n' };
const reactions = { message: 'mid', user: 'who', emoji: 'emoji' };

/** Messages by a query. */
const asking = (query: string, more: object = {}) => ({ tables: { messages: { query }, ...more } });

describe('a query as a table', () => {
  it('makes one table of two, whose rows are messages with a location of their own', async () => {
    const entries = await readCsv(
      { 'old.csv': 'nr,room,at,body\n1,r,1700000000,first\n', 'new.csv': 'id,room,at,text\n2,r,1700000001,second\n' },
      asking('SELECT id, room, at, text FROM new UNION ALL SELECT nr, room, at, body FROM old ORDER BY at'),
    );
    expect(entries.filter((entry) => entry.type === 'record' && entry.record.kind === 'message')).toMatchObject([
      { record: { origin: { id: '1' }, text: 'first' }, location: { path: 'query of messages', line: 1 } },
      { record: { origin: { id: '2' }, text: 'second' }, location: { path: 'query of messages', line: 2 } },
    ]);
    expect(filesIn(entries)).toEqual({
      'old.csv': 'shared',
      'new.csv': 'shared',
      'query of messages': 'rows',
      'messages.csv': 'skipped',
    });
  });

  it('gives people, reactions and members as well, and names columns that it leaves', async () => {
    const entries = await readCsv(
      { ...people, 'links.csv': 'reaction,person,message\n1,2,m1\n', 'kinds.csv': 'id,emoji\n1,🎉\n' },
      {
        tables: {
          users: { query: "SELECT id, first || ' ' || last AS name FROM people" },
          reactions: {
            query:
              'SELECT l.message AS mid, l.person AS who, k.emoji FROM links l JOIN kinds k ON k.id = l.reaction WHERE l.person = 2',
          },
          members: { query: 'SELECT DISTINCT room, 2 AS who FROM messages' },
        },
        users: { id: 'id', name: 'name' },
        reactions,
        members: { conversation: 'room', user: 'who' },
      },
    );
    expect(entries).toContainEqual(
      expect.objectContaining({
        record: { kind: 'user', id: '1', name: 'Ann Lee' },
        location: { path: 'query of users', line: 1 },
      }),
    );
    expect(messagesIn(entries)[0]!.reactions).toEqual([{ emoji: '🎉', users: ['2'], count: 1 }]);
    expect(conversationsIn(entries)[0]).toMatchObject({ id: 'r', members: ['2'] });
    expect(faultsIn(entries)).toEqual(['column-not-migrated people.csv: "secret" has a value in a row']);
    expect(filesIn(entries)).toEqual({
      ...{ 'people.csv': 'shared', 'links.csv': 'shared', 'kinds.csv': 'shared', 'messages.csv': 'rows' },
      ...{ 'query of users': 'shared', 'query of reactions': 'shared', 'query of members': 'shared' },
    });
  });

  it('finds NULL if a cell is empty or means no value, and text everywhere else', async () => {
    const entries = await readCsv(
      { 'a.csv': 'id,room,at,text\n1,r,1700000000,NULL\n2,r,1700000001,\n9007199254740993,r,1700000002,x\n' },
      asking(`SELECT id, room, at, coalesce(text, 'nothing') AS text FROM a WHERE at > '1' AND room = 'r'`),
    );
    expect(messagesIn(entries).map(({ origin, text }) => [origin.id, text])).toEqual([
      ['1', 'nothing'],
      ['2', 'nothing'],
      ['9007199254740993', 'x'],
    ]);
  });

  it('keeps whole numbers of any length exact', async () => {
    const entries = await readCsv(
      { 'a.csv': 'id,room,at,text\n9007199254740993,r,1700000000,x\n' },
      asking('SELECT CAST(id AS INTEGER) AS id, room, at, text FROM a'),
    );
    expect(messagesIn(entries)[0]!.origin.id).toBe('9007199254740993');
  });

  it('gives cells of JSON, in which a path finds its value', async () => {
    const entries = await readCsv(
      { 'chat.csv': `id,room,at,event\n1,r,1700000000,"{""content"":{""body"":""ahoy""}}"\n` },
      { ...asking('SELECT * FROM chat'), messages: { ...messageColumns, text: 'event.content.body' } },
    );
    expect(messagesIn(entries)[0]!.text).toBe('ahoy');
  });

  it('reads lists of JSON by their last step, with objects as JSON text and fields inside by their path', async () => {
    const dump = {
      data: {
        posts: [
          { id: 1, room: 'r', at: 1_700_000_000, by: { name: 'Ann' }, tags: ['a'] },
          { id: 2, room: 'r', at: 1_700_000_001, by: { name: 'Ben' }, late: true },
        ],
        likes: [{ post: 1, by: 'ann' }],
      },
    };
    const entries = await readJson(
      { 'dump.json': dump },
      {
        tables: {
          messages: { query: `SELECT id, room, at, "by.name" || ': ' || coalesce(tags, late) AS text FROM posts` },
          reactions: { query: `SELECT post AS mid, by AS who, '👍' AS emoji FROM likes` },
        },
        reactions,
      },
    );
    expect(messagesIn(entries)).toMatchObject([
      { text: 'Ann: ["a"]', reactions: [{ emoji: '👍', users: ['ann'] }] },
      { text: 'Ben: true' },
    ]);
    expect(filesIn(entries)).toMatchObject({ 'dump.json': 'shared', 'query of messages': 'rows' });
  });

  it('calls tables of one name by their folders', async () => {
    const row = (id: number) => `id,room,at,text\n${id},r,170000000${id},hi\n`;
    const entries = await readCsv(
      { '2024/chat.csv': row(1), '2025/chat.csv': row(2), 'auth.users.csv': 'id,name\n1,Ann\n' },
      {
        tables: {
          messages: { query: 'SELECT * FROM "2024/chat" UNION ALL SELECT * FROM "2025/chat"' },
          users: { query: 'SELECT id, name FROM "auth.users"' },
        },
        users: { id: 'id', name: 'name' },
      },
    );
    expect(messagesIn(entries).map(({ origin }) => origin.id)).toEqual(['1', '2']);
    expect(filesIn(entries)).toMatchObject({ 'auth.users.csv': 'shared' });
  });

  it('knows the columns of a table without rows', async () => {
    const entries = await readCsv(
      { 'empty.csv': 'id,room,at,text\n' },
      asking('SELECT id, room, at, text FROM messages UNION ALL SELECT id, room, at, text FROM empty'),
    );
    expect(messagesIn(entries).length).toBe(3);
  });

  it('survives hostile names and values', async () => {
    const name = `"a""); DROP TABLE x; --"`;
    const entries = await readCsv(
      { "x'.csv": `id,ID,${name},at,text\n1,2,r,1700000000,"'); DROP TABLE ""x'""; --"\n` },
      asking(`SELECT id, "ID#2" AS other, "a""); DROP TABLE x; --" AS room, at, text FROM "x'"`),
    );
    expect(messagesIn(entries)[0]).toMatchObject({
      origin: { id: '1', conversation: 'r' },
      text: `'); DROP TABLE "x'"; --`,
    });
    expect(faultsIn(entries)).toEqual([
      `column-renamed x'.csv: SQL cannot distinguish the column "ID" from another: in queries its name is "ID#2"`,
      'column-not-migrated query of messages: "other" has a value in a row',
    ]);
  });

  it('counts rows that a table of messages has lost', async () => {
    const entries = await readCsv(
      { 'a.csv': 'id,room,at,text\n1,r,1700000000,hi\n2,r,1700000001,one,too,many\n' },
      asking('SELECT id, room, at, text FROM a'),
    );
    expect(faultsIn(entries)[0]).toContain('field-count a.csv:3');
    expect(entries.filter(({ type }) => type === 'invalid').length).toBe(1);
  });

  it('is read in part like files: only if it is wanted', async () => {
    const source = asking('SELECT id, room, at, text FROM messages');
    expect(messagesIn(await readCsv({}, source, { wants: (path) => path === 'query of messages' })).length).toBe(3);
    const entries = await readCsv({}, source, { wants: () => false });
    expect(filesIn(entries)).toEqual({ 'messages.csv': 'shared' });
  });

  it.each([
    ['DELETE FROM messages', 'it begins with DELETE; expected one SELECT'],
    ['PRAGMA table_list', 'it begins with PRAGMA; expected one SELECT'],
    ["ATTACH 'x.db' AS x", 'it begins with ATTACH'],
    ['WITH a AS (SELECT 1) DELETE FROM messages RETURNING id', 'it changes something'],
    ['SELECT 1 AS id; SELECT 2', 'more than one statement'],
    ['SELECT id FROM mesages', 'no such table: mesages; the tables are "messages", "people"'],
    ['SELECT nosuch FROM people', 'no such column: nosuch; "people" has "id", "first", "last", "secret"'],
    ['SELECT id, first AS id FROM people', 'it has two columns called "id"'],
    ['SELEC id', 'it begins with SELEC'],
    ['SELECT id FROM', 'incomplete input'],
    ['', 'Too small'],
  ])('is refused with the expected form: %s', async (query, reason) => {
    const read = readCsv(people, asking(query));
    await expect(read).rejects.toThrow(reason);
    if (query !== '') await expect(read).rejects.toThrow('Cannot run source.tables.messages.query (');
  });

  it('stops the run where SQLite fails over a value', async () => {
    const read = readCsv({}, asking("SELECT id, room, at, json_extract(text, '$.a') AS text FROM messages"));
    await expect(read).rejects.toThrow('row 1: malformed JSON');
  });

  it('is refused if a file has the name under which its rows are listed', async () => {
    const read = readCsv({ 'query of messages': 'x' }, asking('SELECT id, room, at, text FROM messages'));
    await expect(read).rejects.toThrow('the export has a file of that name');
  });
});

describe('the names in a query', () => {
  it.each([
    [
      'SELECT a.b, "c d", `e`, [f g] FROM h -- i\n WHERE /* j */ k = \'l\'',
      ['SELECT', 'a', 'b', 'c d', 'e', 'f g', 'FROM', 'h', 'WHERE', 'k'],
    ],
    ['SELECT "a""b" FROM "unclosed', ['SELECT', 'a"b', 'FROM', 'unclosed']],
  ])('are those outside of comments and texts: %j', (text, names) => {
    expect(namesInQuery(text).all).toEqual(names);
  });

  it.each([
    ['SELECT * FROM a', true],
    ['SELECT DISTINCT * FROM a', true],
    ['SELECT b, a.* FROM a', true],
    ['SELECT count(*) FROM a', false],
    ['SELECT b * 2 FROM a', false],
    ["SELECT b, '*' FROM a", false],
  ])('%s reads all columns: %s', (text, readsAll) => {
    expect(namesInQuery(text).readsAll).toBe(readsAll);
  });
});

describe('a copy of tables', () => {
  it('says that the disk is full', () => {
    const copy = new ExportCopy();
    try {
      copy.db.pragma('max_page_count = 8');
      const table = { name: 'a', nulls: new Set<unknown>(), isNamed: () => false };
      const writer = copy.create(table, ['text']);
      const fill = () => {
        for (let row = 0; row < 100; row += 1) writer.add(rowOf({ text: 'x'.repeat(4000) }));
      };
      expect(() => {
        try {
          fill();
        } catch (error) {
          throw copyFault(error);
        }
      }).toThrow('Cannot copy tables into a temporary database: the disk is full (SQLITE_FULL)');
    } finally {
      copy.close();
    }
  });

  it('takes three hundred fields, and beyond them those that a query names', () => {
    const copy = new ExportCopy();
    try {
      const writer = copy.create({ name: 'a', nulls: new Set<unknown>(), isNamed: (name) => name === 'k900' }, []);
      for (let row = 0; row < 1000; row += 1) writer.add(rowOf({ [`k${row}`]: 'v' }));
      expect(copy.columns.get('a')!.length).toBe(301);
      expect(writer.remarks('a.json')).toMatchObject([{ code: 'column-not-migrated', count: 699 }]);
      expect(copy.db.prepare('SELECT count(k0) + count(k900) FROM a').pluck().get()).toBe(2);
    } finally {
      copy.close();
    }
  });
});

it('a message column is bound to the same columns in a query as in a file', async () => {
  const [byFile, byQuery] = [
    await readCsv({}, { messages: messageColumns }),
    await readCsv({}, asking('SELECT id, room, at, text FROM messages')),
  ];
  expect(messagesIn(byQuery)).toEqual(messagesIn(byFile));
});
