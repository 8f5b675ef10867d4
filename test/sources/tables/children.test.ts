import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationsIn, faultsIn, filesIn, messagesIn, readCsv, readJson } from './export-of.ts';

const attachments = { message: 'mid', url: 'url', name: 'name', type: 'mime', size: 'bytes', id: 'id' };
const reactions = { message: 'mid', user: 'who', emoji: 'emoji' };
const edits = { message: 'mid', time: { from: 'at', format: 'unix-s' } };
const files = (name: string) => ({ file: `${name}.csv` });

describe('a table of attachments', () => {
  const head = 'id,mid,url,name,mime,bytes,place\n';
  const rows = 'f1,m2,https://h.example/2.png,,image/png,20,10\nf2,m2,https://h.example/1.png,one,,10,9\n';

  it('gives messages their files, as columns of the message would', async () => {
    const entries = await readCsv(
      { 'files.csv': head + rows },
      { tables: { attachments: files('files') }, attachments },
    );
    expect(messagesIn(entries).map((message) => message.attachments)).toEqual([
      undefined,
      [
        { id: 'f1', name: '2.png', url: 'https://h.example/2.png', mimeType: 'image/png', sizeBytes: 20 },
        { id: 'f2', name: 'one', url: 'https://h.example/1.png', sizeBytes: 10 },
      ],
      undefined,
    ]);
    expect(filesIn(entries)).toEqual({ 'messages.csv': 'rows', 'files.csv': 'shared' });
  });

  it('sorts by a column: numbers as numbers, then words, then what has none', async () => {
    const more = 'f3,m2,https://h.example/3.png,,,,\nf4,m2,https://h.example/4.png,,,,last\n';
    const entries = await readCsv(
      { 'files.csv': head + more + rows },
      { tables: { attachments: files('files') }, attachments: { ...attachments, order: 'place' } },
    );
    expect(messagesIn(entries)[1]!.attachments!.map(({ id }) => id)).toEqual(['f2', 'f1', 'f4', 'f3']);
  });

  it('makes a message of a row without a text', async () => {
    const entries = await readCsv(
      { 'messages.csv': 'id,room,at,text\nm2,r,1700000000,\n', 'files.csv': head + rows },
      { tables: { attachments: files('files') }, attachments },
    );
    expect(messagesIn(entries)[0]).toMatchObject({ text: '', attachments: [{ id: 'f1' }, { id: 'f2' }] });
  });

  it('adds to the files that columns of the message name', async () => {
    const entries = await readCsv(
      { 'messages.csv': 'id,room,at,text,pic\nm2,r,1700000000,hi,https://h.example/0.png\n', 'files.csv': head + rows },
      {
        messages: {
          id: 'id',
          conversation: 'room',
          time: { from: 'at', format: 'unix-s' },
          text: 'text',
          attachments: [{ url: 'pic' }],
        },
        tables: { attachments: files('files') },
        attachments,
      },
    );
    expect(messagesIn(entries)[0]!.attachments!.map(({ name }) => name)).toEqual(['0.png', '2.png', 'one']);
  });
});

describe('a table of reactions', () => {
  it('counts each person once for each emoji, and rows without a person one by one', async () => {
    const rows = 'mid,who,emoji\nm1,ann,👍\nm1,ben,👍\nm1,ann,👍\nm1,,🎉\nm1,,🎉\nm1,ben,🎉\n';
    const entries = await readCsv({ 'r.csv': rows }, { tables: { reactions: files('r') }, reactions });
    expect(messagesIn(entries)[0]!.reactions).toEqual([
      { emoji: '👍', users: ['ann', 'ben'], count: 2 },
      { emoji: '🎉', users: ['ben'], count: 3 },
    ]);
  });

  it('translates its words like any column', async () => {
    const rows = 'mid,who,emoji\nm1,ann,1\nm1,ben,2\n';
    const entries = await readCsv(
      { 'r.csv': rows },
      {
        tables: { reactions: files('r') },
        reactions: { ...reactions, emoji: { from: 'emoji', values: { 1: '👍' }, otherwise: '❔' } },
      },
    );
    expect(messagesIn(entries)[0]!.reactions!.map(({ emoji }) => emoji)).toEqual(['👍', '❔']);
  });
});

describe('a table of edits', () => {
  it('marks the message as edited at the latest time, of rows and column', async () => {
    const rows = 'mid,at\nm1,1700000050\nm1,1700000090\nm1,1700000070\nm2,1700000001\nm3,soon\n';
    const entries = await readCsv({ 'e.csv': rows }, { tables: { edits: files('e') }, edits });
    expect(messagesIn(entries).map(({ edited }) => edited)).toEqual([
      { atMs: 1_700_000_090_000 },
      { atMs: 1_700_000_001_000 },
      {},
    ]);
    expect(faultsIn(entries)).toEqual([
      'bad-edit-time e.csv:6 Expected the time of an edit, found "soon"; the message counts as edited, without a time',
    ]);
  });
});

describe('a table of members', () => {
  const members = { conversation: 'room', user: 'who', role: 'role' };
  const rooms = { id: 'id', name: 'name', members: 'people' };

  it('gives conversations their members, besides those of their own column, and the owner as creator', async () => {
    const entries = await readCsv(
      { 'rooms.csv': 'id,name,people\nr,Room,"zoe,ann"\n', 'm.csv': 'room,who,role\nr,ann,member\nr,ben,owner\n' },
      {
        tables: { members: files('m'), conversations: files('rooms') },
        members,
        conversations: rooms,
      },
    );
    expect(conversationsIn(entries)).toEqual([
      {
        kind: 'conversation',
        id: 'r',
        type: 'private',
        name: 'Room',
        members: ['zoe', 'ann', 'ben'],
        creator: 'ben',
        memberships: [{ user: 'ben', scope: 'admin' }],
      },
    ]);
    expect(filesIn(entries)).toMatchObject({ 'm.csv': 'shared', 'rooms.csv': 'shared' });
  });

  it('describes conversations that nothing else describes', async () => {
    const entries = await readCsv(
      { 'm.csv': 'room,who,role\nr,ann,\nempty,ben,\n' },
      { tables: { members: files('m') }, members },
    );
    const byId = new Map(conversationsIn(entries).map(({ id, members }) => [id, members]));
    expect([...byId]).toEqual([
      ['r', ['ann']],
      ['empty', ['ben']],
    ]);
  });

  it('reads rights, times and bans, and that people who left are no members unless they came back', async () => {
    const entries = await readCsv(
      {
        'm.csv': `room,who,role,joined,left,banned
r,ann,admin,2026-01-05T08:00:00Z,,0
r,ben,owner,,2026-02-01T08:00:00Z,0
r,ben,member,2026-03-01T08:00:00Z,,0
r,cleo,moderator,,,1
r,dan,owner,,2026-02-02T08:00:00Z,0
r,eve,member,,yes,0
r,fay,member,,,0
`,
      },
      {
        tables: { members: files('m') },
        members: { ...members, joinedAt: 'joined', leftAt: 'left', isBanned: 'banned' },
      },
    );
    expect(conversationsIn(entries)[0]).toEqual({
      kind: 'conversation',
      id: 'r',
      type: 'private',
      name: '',
      members: ['ann', 'ben', 'fay'],
      memberships: [
        { user: 'ann', scope: 'admin', joinedAtMs: Date.UTC(2026, 0, 5, 8) },
        { user: 'ben', joinedAtMs: Date.UTC(2026, 2, 1, 8) },
        { user: 'cleo', scope: 'moderator', isBanned: true },
        { user: 'dan', scope: 'admin', leftAtMs: Date.UTC(2026, 1, 2, 8) },
      ],
    });
    expect(faultsIn(entries)).toEqual([
      'member-left m.csv:7 The row says that this person left, and not when: it is left out',
    ]);
  });

  it('reads who left and who is banned in spite of conditions on these columns, which decide about members', async () => {
    const entries = await readCsv(
      {
        'm.csv': `room,who,left,banned,kind
r,ann,,0,full
r,ben,2026-02-01T08:00:00Z,0,full
r,cleo,,1,full
r,dan,,no,full
r,eve,2026-02-01T08:00:00Z,0,robot
`,
      },
      {
        tables: { members: files('m') },
        members: {
          conversation: 'room',
          user: 'who',
          leftAt: 'left',
          isBanned: 'banned',
          only: { left: { filled: false }, banned: ['0'], kind: ['full'] },
        },
      },
    );
    expect(conversationsIn(entries)[0]).toMatchObject({
      members: ['ann'],
      memberships: [
        { user: 'ben', leftAtMs: Date.UTC(2026, 1, 1, 8) },
        { user: 'cleo', isBanned: true },
      ],
    });
    expect(faultsIn(entries)).toEqual([
      `left-out m.csv: Rows that the mapping's "only: kind" left out: 1`,
      `left-out m.csv: Rows that the mapping's "only: banned" left out: 1`,
    ]);
  });

  it('counts the roles that have no place', async () => {
    const entries = await readCsv(
      { 'm.csv': 'room,who,role\nr,ann,scribe\nr,ben,guest\nr,cleo,owner\n' },
      { tables: { members: files('m') }, members },
    );
    expect(faultsIn(entries)).toEqual([
      'member-role-not-migrated m.csv: 2 members have a role other than owner, admin, moderator and member',
    ]);
  });
});

describe('unusable rows of child tables', () => {
  it('are reported with their location and what they lack', async () => {
    const entries = await readCsv(
      {
        'f.csv': 'id,mid,url,name,mime,bytes\nf1,,https://h.example/1.png,,,\nf2,m1,,,,\n',
        'r.csv': 'mid,who,emoji\n,ann,👍\nm1,ann,\n1.23457E+17,ann,👍\n',
        'e.csv': 'mid,at\n,1700000050\n',
        'm.csv': 'room,who\n,ann\nr,\n',
      },
      {
        tables: { attachments: files('f'), reactions: files('r'), edits: files('e'), members: files('m') },
        ...{ attachments, reactions, edits, members: { conversation: 'room', user: 'who' } },
      },
    );
    expect(faultsIn(entries).map((fault) => fault.replace(/ to ".*/, ''))).toEqual([
      'child-row-incomplete m.csv:2 This member has no conversation and is left out',
      'child-row-incomplete m.csv:3 This member has no id and is left out',
      'child-row-incomplete f.csv:2 This file has no message and is left out',
      'child-row-incomplete f.csv:3 This file has neither an address nor a name and is left out',
      'child-row-incomplete r.csv:2 This reaction has no message and is left out',
      'child-row-incomplete r.csv:3 This reaction has no emoji and is left out',
      'shortened-id r.csv:4 A spreadsheet has shortened the id in this row',
      'child-row-incomplete e.csv:2 This edit has no message and is left out',
    ]);
  });

  it('are counted by table where their message was not read', async () => {
    const source = { tables: { reactions: files('r'), edits: files('e') }, reactions, edits };
    const entries = await readCsv(
      { 'r.csv': 'mid,who,emoji\nm1,ann,👍\nx,ann,👍\nx,ben,👍\ny,ben,👍\n', 'e.csv': 'mid,at\nz,1700000050\n' },
      source,
    );
    expect(entries.filter((entry) => entry.type === 'problem')).toEqual([
      {
        type: 'problem',
        code: 'child-row-unused',
        reason: '3 rows of reactions in "r.csv" belong to no message that was read',
        location: { path: 'r.csv' },
        count: 3,
      },
      expect.objectContaining({ reason: 'A row of edits in "e.csv" belongs to no message that was read', count: 1 }),
    ]);
  });

  it('are not counted where messages are read in part, or could not be', async () => {
    const source = { tables: { messages: { file: 'messages*.csv' }, reactions: files('r') }, reactions };
    const read = (wanted: string) =>
      readCsv(
        {
          'messages2.csv': 'id,room,at,text\nm4,r,1700000009,four\n',
          'messages3.csv': 'other\n1\n',
          'r.csv': 'mid,who,emoji\nx,ann,👍\n',
        },
        source,
        { wants: (path) => path.startsWith(wanted) },
      );
    expect(faultsIn(await read('messages2'))).toEqual([]);
    expect(faultsIn(await read('')).map((fault) => fault.split(' ')[0])).toEqual(['missing-column']);
  });

  it('are left out by only and skipWhen, and counted', async () => {
    const entries = await readCsv(
      { 'r.csv': 'mid,who,emoji,kind\nm1,ann,👍,live\nm1,ben,👍,removed\nm1,cleo,👍,removed\n' },
      { tables: { reactions: files('r') }, reactions: { ...reactions, skipWhen: { kind: ['removed'] } } },
    );
    expect(messagesIn(entries)[0]!.reactions).toEqual([{ emoji: '👍', users: ['ann'], count: 1 }]);
    expect(faultsIn(entries)).toEqual(['left-out r.csv: Rows that the mapping\'s "skipWhen: kind" left out: 2']);
  });

  it('are not read at all if a required column is missing', async () => {
    const entries = await readCsv(
      { 'r.csv': 'mid,who,emo\nm1,ann,👍\n' },
      { tables: { reactions: files('r') }, reactions },
    );
    expect(faultsIn(entries)).toEqual([
      'missing-column r.csv:2 Cannot read the table without the column "emoji", which the mapping names; its columns are "mid", "who", "emo"',
    ]);
  });
});

describe('child tables', () => {
  it('name the columns that nothing reads', async () => {
    const entries = await readCsv(
      { 'r.csv': 'mid,who,emoji,device\nm1,ann,👍,phone\nm1,ben,👍,\n' },
      { tables: { reactions: files('r') }, reactions },
    );
    expect(entries).toContainEqual({
      type: 'problem',
      code: 'column-not-migrated',
      reason: '"device" has a value in a row',
      location: { path: 'r.csv' },
      count: 1,
      column: 'device',
      table: 'reactions',
    });
  });

  it('may be lists of the same JSON file', async () => {
    const dump = {
      messages: [{ id: 9007199254740993n, room: 'r', at: 1_700_000_000, text: 'hi' }],
      reactions: [
        { mid: 'ID', who: { id: 7 }, emoji: '👍' },
        { mid: 'gone', who: { id: 7 }, emoji: '👍' },
      ],
      members: [{ room: 'r', who: 7 }],
    };
    const text = JSON.stringify(dump, (_, value) => (typeof value === 'bigint' ? 'ID' : value)).replaceAll(
      '"ID"',
      '9007199254740993',
    );
    const list = (name: string) => ({ file: 'dump.json', list: `/${name}` });
    const entries = await readJson(
      { 'dump.json': text },
      {
        tables: { messages: list('messages'), reactions: list('reactions'), members: list('members') },
        reactions: { message: 'mid', user: 'who.id', emoji: 'emoji' },
        members: { conversation: 'room', user: 'who' },
      },
    );
    expect(messagesIn(entries)).toMatchObject([
      { origin: { id: '9007199254740993' }, reactions: [{ emoji: '👍', users: ['7'], count: 1 }] },
    ]);
    expect(conversationsIn(entries)[0]).toMatchObject({ id: 'r', members: ['7'] });
    expect(faultsIn(entries)).toEqual([
      'child-row-unused dump.json: A row of reactions in "dump.json" belongs to no message that was read',
    ]);
    expect(filesIn(entries)).toEqual({ 'dump.json': 'rows' });
  });

  it.each([
    [{ tables: { reactions: files('r') } }, 'the mapping gives its location, but not its columns'],
    [{ reactions }, 'the mapping gives its columns, but not its location'],
    [
      { messages: { conversation: 'room', time: 'at' }, tables: { reactions: files('r') }, reactions },
      'Cannot join the table of reactions to messages: the mapping does not say what their ids are',
    ],
    [{ tables: { reactions: files('nosuch') }, reactions }, 'Cannot find the table of reactions'],
  ])('are refused if the mapping is incomplete: %j', async (source, reason) => {
    await expect(readCsv({ 'r.csv': 'mid,who,emoji\n' }, source)).rejects.toThrow(reason);
  });

  it('stop between two lists when aborted', async () => {
    const stop = new AbortController();
    const rows = `mid,who,emoji\n${'m1,ann,👍\n'.repeat(5000)}`;
    stop.abort(new Error('enough'));
    const source = { tables: { reactions: files('r') }, reactions };
    await expect(readCsv({ 'r.csv': rows }, source, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('belong to messages as a join in memory would have it', async () => {
    const id = fc.constantFrom('m1', 'm2', 'm3', '__proto__', "m'1", '0', '1e3', 'ü', 'M1');
    const row = fc.record({
      mid: id,
      who: fc.constantFrom('ann', 'ben', ''),
      emoji: fc.constantFrom('👍', '🎉', "'--"),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 1 }), fc.array(row, { maxLength: 40 }), async (ids, rows) => {
        const entries = await readCsv(
          {
            'messages.csv': `id,room,at,text\n${ids.map((one) => `${one},r,1700000000,hi\n`).join('')}`,
            'r.csv': `mid,who,emoji\n${rows.map(({ mid, who, emoji }) => `${mid},${who},${emoji}\n`).join('')}`,
          },
          { tables: { reactions: files('r') }, reactions },
        );
        const found = messagesIn(entries).map(({ origin, reactions: own = [] }) => [origin.id, own]);
        expect(found).toEqual(ids.map((one) => [one, joined(rows.filter(({ mid }) => mid === one))]));
        const unused = rows.filter(({ mid }) => !ids.includes(mid)).length;
        const problems = entries.filter((entry) => entry.type === 'problem');
        // Ids of messages of one time may fall here, which is another remark.
        const counted = problems.filter(({ code }) => code !== 'order-contradicted').map(({ count }) => count);
        expect(counted).toEqual(unused > 0 ? [unused] : []);
      }),
    );
  });
});

/** The same without a database. */
function joined(rows: readonly { readonly who: string; readonly emoji: string }[]) {
  const emojis = [...new Set(rows.map(({ emoji }) => emoji))];
  return emojis.map((emoji) => {
    const own = rows.filter((row) => row.emoji === emoji);
    const users = [...new Set(own.flatMap(({ who }) => (who === '' ? [] : [who])))];
    return { emoji, users, count: users.length + own.filter(({ who }) => who === '').length };
  });
}
