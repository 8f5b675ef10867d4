import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageSchema } from '../../../src/model/records.ts';
import { anyText } from '../../arbitrary-text.ts';
import { conversationsIn } from './export-of.ts';
import { bindAll, bindOne, messagesIn } from './rows.ts';

const codes = (entries: ReturnType<typeof bindAll>) =>
  entries.flatMap((entry) => {
    if (entry.type === 'skipped') return [entry.rule];
    return entry.type === 'invalid' || entry.type === 'problem' ? [entry.code] : [];
  });

/** A mapping that says who wrote. */
const byWho = { author: 'who' };

describe('a row as a message', () => {
  it('has origin, time and text', () => {
    expect(bindOne({}, {})).toEqual({
      kind: 'message',
      origin: { source: 'csv', workspace: 'w', conversation: 'c', id: '1' },
      sortKey: '000000000000000001',
      sentAtMs: 1_700_000_000_000,
      text: 'hi',
    });
  });

  it.each([
    [{ conversation: 'room' }, {}, 'missing-conversation'],
    [{ conversation: { between: ['a', 'b'] } }, { a: 'x' }, 'missing-conversation'],
    [{}, { time: '' }, 'missing-time'],
    [{}, { time: '0000-00-00 00:00:00' }, 'missing-time'],
    [{}, { time: 'soon' }, 'bad-time'],
    [{}, { id: 'NULL' }, 'missing-id'],
    [{ internal: 'i' }, { i: 'agents' }, 'unclear-visibility'],
    [{ internal: 'i' }, { i: '' }, 'unclear-visibility'],
    [{ internal: 'i' }, { i: '2' }, 'unclear-visibility'],
    [{}, { id: '1.23457E+17' }, 'shortened-id'],
    [{ author: 'user' }, { user: '1,23457E+17' }, 'shortened-id'],
  ])('is rejected if it lacks required values: %j %j', (mapping, row, code) => {
    expect(codes(bindAll(mapping, [row]))).toEqual([code]);
  });

  it('takes an id as an id, although it looks like a small exponent', () => {
    expect(bindOne({}, { id: '12E4' }).origin.id).toBe('12E4');
  });

  it.each(['last', 'joined'])('is internal if one of its rows is: repeated %s', (repeated) => {
    const rows = [{ i: 'false' }, { i: 'true', time: '1700000001' }, { i: 'false', time: '1700000002' }];
    const found = messagesIn(bindAll({ internal: 'i', repeated }, rows));
    expect(found.map(({ internal }) => internal)).toEqual([undefined, 'note', 'note']);
  });

  it('is invalid if the column of "internal" is missing: notes would pass', () => {
    expect(codes(bindAll({ internal: 'other' }, [{}]))).toEqual(['unclear-visibility']);
  });

  it('has a made id that does not change when rows are added, and another for each of equal rows', () => {
    const ids = (rows: object[]) =>
      messagesIn(bindAll({ id: undefined }, rows as Record<string, unknown>[])).map(({ origin }) => origin.id);
    const [first, second, third] = ids([{ text: 'a' }, { text: 'b' }, { text: 'b' }]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(ids([{ text: 'new' }, { text: 'b' }, { text: 'a' }, { text: 'b' }]).slice(1)).toEqual([
      second,
      first,
      third,
    ]);
  });

  it('belongs to a direct conversation that is the same in both directions, said once', () => {
    const entries = bindAll({ conversation: { between: ['from', 'to'] } }, [
      { from: '2', to: '10', id: '1' },
      { from: '10', to: '2', id: '2' },
    ]);
    expect(conversationsIn(entries)).toEqual([
      { kind: 'conversation', id: '10:2', type: 'direct', name: '', members: ['10', '2'] },
    ]);
    expect(messagesIn(entries).map(({ author }) => author)).toEqual(['2', '10']);
  });

  it.each([
    [{ first: ['a', 'b'] }, { a: '', b: 'x' }, 'x'],
    [{ first: ['a', 'b'] }, { a: 'y', b: 'x' }, 'y'],
    [
      { first: [{ from: 'a', values: { 1: 'one' } }, { template: 'b-{b}' }, { constant: 'c' }] },
      { a: '1', b: 'x' },
      'one',
    ],
    [
      { first: [{ from: 'a', values: { 1: 'one' } }, { template: 'b-{b}' }, { constant: 'c' }] },
      { a: '', b: 'x' },
      'b-x',
    ],
    [{ first: [{ from: 'a', values: { 1: 'one' } }, { template: 'b-{b}' }, { constant: 'c' }] }, {}, 'c'],
    [{ first: ['a', 'b'] }, { a: 'NULL' }, undefined],
  ])('takes the first that has a value: %j of %j', (author, row, found) => {
    expect(bindOne({ author }, row).author).toBe(found);
  });

  it('belongs to a group or, without one, to two people, who are its members', () => {
    const conversation = { first: [{ template: 'group:{group}' }, { between: ['from', 'to'] }] };
    const entries = bindAll({ conversation, author: 'from' }, [
      { from: '1', to: '', group: '7', id: '1' },
      { from: '2', to: '1', group: '', id: '2' },
      { from: '2', to: '', group: '', id: '3' },
    ]);
    expect(conversationsIn(entries)).toEqual([
      { kind: 'conversation', id: 'group:7', type: 'private', name: '', members: [] },
      { kind: 'conversation', id: '1:2', type: 'direct', name: '', members: ['1', '2'] },
    ]);
    expect(codes(entries)).toEqual(['missing-conversation']);
  });

  it('belongs to everybody whom a row names, however many they are, and in any order', () => {
    const conversation = { between: ['from', { list: 'to' }] };
    const entries = bindAll({ conversation, author: 'from' }, [
      { from: '1', to: '2,3', id: '1' },
      { from: '3', to: '["2","1"]', id: '2' },
      { from: '1', to: '{2}', id: '3' },
      { from: '1', to: '', id: '4' },
    ]);
    expect(conversationsIn(entries)).toEqual([
      { kind: 'conversation', id: '1:2:3', type: 'group-direct', name: '', members: ['1', '2', '3'] },
      { kind: 'conversation', id: '1:2', type: 'direct', name: '', members: ['1', '2'] },
    ]);
    expect(messagesIn(entries).map(({ origin }) => origin.conversation)).toEqual(['1:2:3', '1:2:3', '1:2']);
    expect(codes(entries)).toEqual(['missing-conversation']);
  });

  it('belongs to a person or to a room, by what another column says', () => {
    const conversation = {
      first: [
        { when: { kind: ['1'] }, take: { between: ['from', 'target'] } },
        { when: { kind: ['2'] }, take: { template: 'room:{target}' } },
      ],
    };
    const rows = ['1', '2', '3'].map((kind) => ({ kind, from: '7', target: '8', id: kind }));
    const entries = bindAll({ conversation, author: 'from' }, rows);
    expect(messagesIn(entries).map(({ origin }) => origin.conversation)).toEqual(['7:8', 'room:8']);
    expect(codes(entries)).toEqual(['missing-conversation']);
  });

  it('keeps the order of rows where times tie, also that of files with the newest first', () => {
    const texts = (order: string) =>
      messagesIn(
        bindAll({ order }, [
          { id: '1', text: 'a' },
          { id: '2', text: 'b' },
        ]),
      )
        .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
        .map(({ text }) => text);
    expect(texts('oldest-first')).toEqual(['a', 'b']);
    expect(texts('newest-first')).toEqual(['b', 'a']);
  });

  it('keeps times below a millisecond for the order', () => {
    const keys = messagesIn(bindAll({}, [{ time: '1700000000.0000020' }, { time: '1700000000.0000011' }])).map(
      ({ sortKey }) => sortKey,
    );
    expect(keys).toEqual(['002000000000000001', '001100000000000002']);
  });

  it.each([
    [{ kind: { from: 'k', values: { s: 'system', c: 'call' } } }, { k: 's' }, { systemEvent: 'system' }],
    [{ kind: { from: 'k', values: { c: 'call' } } }, { k: 'c' }, { systemEvent: 'call', call: {} }],
    [{ kind: { from: 'k', values: { s: 'system' }, otherwise: 'message' } }, { k: 'x' }, {}],
    [
      { author: 'u', authorName: { template: '{f} {l}' } },
      { u: '7', f: 'Ann' },
      { author: '7', authorDetails: { name: 'Ann' } },
    ],
    [{ authorName: 'n' }, { n: 'Ann' }, { author: 'Ann', authorDetails: { name: 'Ann' } }],
    [{ internal: 'i' }, { i: '1' }, { internal: 'note' }],
    [{ internal: 'i' }, { i: true }, { internal: 'note' }],
    [{ internal: 'i' }, { i: false }, {}],
    [{ internal: { from: 'i', values: { w: 'automation', c: 'visible' } } }, { i: 'w' }, { internal: 'automation' }],
    [{ internal: { from: 'i', values: { w: 'note' }, otherwise: 'visible' } }, { i: 'x' }, {}],
    [{ internal: { first: ['i', { constant: 'visible' }] } }, { i: '' }, {}],
    [{ reply: 'p', quote: 'q' }, { p: '0', q: '5' }, { quoteOf: '5' }],
    [{ deleted: 'd', pinned: 'p' }, { d: '2024-01-01', p: 'false' }, { isDeleted: true }],
    [{ deleted: 'd' }, { d: '0000-00-00 00:00:00' }, {}],
    [{ edited: 'e' }, { e: 'true' }, { edited: {} }],
    [{ edited: 'e' }, { e: '1700000060' }, { edited: { atMs: 1_700_000_060_000 } }],
    [{ edited: 'e' }, { e: '1700000000' }, {}],
    [{ custom: { ticket: 't', app: { constant: 'x' } } }, { t: 12 }, { custom: { ticket: 12, app: 'x' } }],
    [{ text: { from: 'h', markup: 'html' } }, { h: '<b>a</b>' }, { text: '**a**' }],
  ])('reads %j of %j', (mapping, row, expected) => {
    const { kind, origin, sortKey, sentAtMs, text, ...details } = bindOne(mapping, row);
    expect({ ...('text' in expected && { text }), ...details }).toEqual(expected);
  });

  it.each([
    [
      { attachments: [{ url: 'u' }] },
      { u: 'https://x.example/a%20b.png?x=1' },
      [{ name: 'a b.png', url: 'https://x.example/a%20b.png?x=1' }],
    ],
    [{ attachments: [{ name: 'n', size: 's' }] }, { n: 'gone.pdf', s: '12' }, [{ name: 'gone.pdf', sizeBytes: 12 }]],
    [{ attachments: [{ name: 'n' }] }, { n: 'rooms/7/plan.pdf' }, [{ name: 'plan.pdf' }]],
    [{ attachments: [{ name: 'n' }] }, { n: 'rooms/' }, [{ name: 'rooms/' }]],
    [
      { attachments: [{ url: 'u', type: 't' }] },
      { u: 'https://x.example/a.mp4', t: 'application/octet-stream' },
      [{ name: 'a.mp4', url: 'https://x.example/a.mp4', mimeType: 'application/octet-stream' }],
    ],
    [
      { attachments: [{ url: 'u', type: 't' }] },
      { u: 'https://x.example/a?id=3', t: 'photo' },
      [{ name: 'a', url: 'https://x.example/a?id=3', mimeType: 'photo' }],
    ],
    [
      { attachments: [{ list: 'f' }] },
      { f: 'https://x.example/1, https://x.example/2' },
      [
        { name: '1', url: 'https://x.example/1' },
        { name: '2', url: 'https://x.example/2' },
      ],
    ],
    [
      { attachments: [{ list: 'f', url: 'file.url', type: 'mime' }] },
      { f: '[{"file":{"url":"/a"},"mime":"image/png"}]' },
      [{ name: 'a', url: '/a', mimeType: 'image/png' }],
    ],
    [{ attachments: [{ list: 'f' }] }, { f: [] }, undefined],
  ])('has the files of %j in %j', (mapping, row, files) => {
    expect(bindOne(mapping, row).attachments).toEqual(files);
  });

  it.each([
    [
      { list: 'r' },
      { r: '{"👍":["1","2"],"🎉":3}' },
      [
        { emoji: '👍', users: ['1', '2'], count: 2 },
        { emoji: '🎉', users: [], count: 3 },
      ],
    ],
    [
      { list: 'r', emoji: 'e', users: 'by' },
      { r: [{ e: '👍', by: [{ id: 9 }] }] },
      [{ emoji: '👍', users: ['9'], count: 1 }],
    ],
    [{ list: 'r' }, { r: '👍,👍' }, [{ emoji: '👍', users: [], count: 2 }]],
    [{ emoji: { constant: '👍' }, count: 'n' }, { n: '4' }, [{ emoji: '👍', users: [], count: 4 }]],
    [{ emoji: { constant: '👍' }, count: 'n' }, { n: '0' }, undefined],
    [{ list: 'r' }, { r: '[12345678901234567890]' }, [{ emoji: '12345678901234567890', users: [], count: 1 }]],
  ])('has the reactions of %j in %j', (reactions, row, expected) => {
    expect(bindOne({ reactions }, row).reactions).toEqual(expected);
  });

  it('leaves out a list that is broken JSON, and says so', () => {
    const entries = bindAll({ ...byWho, attachments: [{ list: 'f' }] }, [{ f: '[{"url":' }]);
    expect(codes(entries)).toEqual(['bad-attachments']);
    expect(messagesIn(entries)).toHaveLength(1);
  });

  it('leaves out rows by rule, and counts each as skipped', () => {
    const entries = bindAll({ ...byWho, skipWhen: { private: ['1', 'true'] }, only: { type: 'text' } }, [
      { private: '1', type: 'text' },
      { private: '', type: 'note' },
      { private: '0', type: 'text', id: '7' },
    ]);
    expect(messagesIn(entries).map(({ origin }) => origin.id)).toEqual(['7']);
    expect(codes(entries)).toEqual(['skipWhen: private', 'only: type']);
  });

  it('says once that a zone was assumed, and each time that a time never was', () => {
    const local = (zone?: string) => ({ ...byWho, time: { from: 'time', ...(zone && { zone }) } });
    const gap = { time: '2026-03-29 02:30' };
    expect(codes(bindAll(local(), [gap, gap]))).toEqual(['zone-assumed']);
    expect(codes(bindAll(local('Europe/Berlin'), [gap, gap]))).toEqual(['time-in-gap', 'time-in-gap']);
    expect(codes(bindAll(local(), [gap, gap], { zone: 'Europe/Berlin' }))).toEqual(['time-in-gap', 'time-in-gap']);
  });

  it('says once that the mapping names no author, unless one is named in some way', () => {
    expect(codes(bindAll({}, [{}, { id: '2' }]))).toEqual(['author-unbound']);
    expect(codes(bindAll({ author: { constant: 'ann' } }, [{}]))).toEqual([]);
    expect(codes(bindAll({ authorName: 'name' }, [{ name: 'Ann' }]))).toEqual([]);
    expect(codes(bindAll({ conversation: { between: ['a', 'b'] } }, [{ a: '1', b: '2' }]))).toEqual([]);
  });

  it('was written by one of two people, as a column of directions says', () => {
    const author = { direction: 'dir', ours: ['out'], theirs: ['in'], us: 'agent', them: { template: 'tel:{tel}' } };
    const by = (dir: string) => bindOne({ author }, { dir, agent: 'lea', tel: '1' }).author;
    expect([by('out'), by('in'), by('note')]).toEqual(['lea', 'tel:1', undefined]);
  });

  describe('with the id of another row', () => {
    const row = (text: string, time: string, more = {}) => ({ text, time, who: 'ann', ...more });

    it('is an invalid row without a rule, if its text is another one', () => {
      const same = { id: '1', text: 'one', who: 'ann' };
      const entries = bindAll(byWho, [same, same, { ...same, text: 'two' }, { ...same, id: '2', text: 'two' }]);
      expect(codes(entries)).toEqual(['repeated-id']);
      expect(messagesIn(entries).map(({ text }) => text)).toEqual(['one', 'one', 'two']);
    });

    it('is a later version of it with repeated: last, at its time, and edited', () => {
      const entries = bindAll({ ...byWho, repeated: 'last' }, [
        row('tpyo', '1700000000'),
        row('other', '1700000050', { id: '2' }),
        row('typo', '1700000100'),
      ]);
      expect(messagesIn(entries)).toMatchObject([
        { text: 'tpyo', sentAtMs: 1_700_000_000_000, edited: undefined },
        { text: 'other' },
        { text: 'typo', sentAtMs: 1_700_000_000_000, edited: { atMs: 1_700_000_100_000 }, origin: { id: '1' } },
      ]);
      const [first, , last] = messagesIn(entries);
      expect(last!.sortKey).toBe(first!.sortKey);
    });

    it('is skipped if it is an older version', () => {
      const rows = [row('typo', '1700000100'), row('tpyo', '1700000000')];
      expect(codes(bindAll({ ...byWho, repeated: 'last' }, rows))).toEqual(['older version']);
      const equal = [row('typo', '1700000000'), row('tpyo', '1700000000')];
      const entries = bindAll({ ...byWho, repeated: 'last', order: 'newest-first' }, equal);
      expect(messagesIn(entries)).toMatchObject([{ text: 'typo' }]);
    });

    it('adds its reactions and files with repeated: joined, each person once', () => {
      const rule = { ...byWho, repeated: 'joined', reactions: { emoji: 'e', users: 'u' }, attachments: [{ url: 'f' }] };
      const cells = [
        { e: '👍', u: 'bob', f: 'https://example.com/a' },
        { e: '👍', u: 'bob', f: 'https://example.com/b' },
        { e: '👍', u: 'cem', f: 'https://example.com/b' },
        { e: '🎉', u: 'cem' },
      ];
      const last = messagesIn(
        bindAll(
          rule,
          cells.map((more) => row('hi', '1700000000', more)),
        ),
      ).at(-1)!;
      expect(last.reactions).toEqual([
        { emoji: '👍', users: ['bob', 'cem'], count: 2 },
        { emoji: '🎉', users: ['cem'], count: 1 },
      ]);
      expect(last.attachments?.map(({ name }) => name)).toEqual(['a', 'b']);
    });

    it('is a message of its own with repeated: all', () => {
      const rows = [row('a', '1700000000'), row('b', '1700000001'), row('c', '1700000002')];
      const ids = messagesIn(bindAll({ ...byWho, repeated: 'all' }, rows)).map(({ origin }) => origin.id);
      expect(ids).toEqual(['1', '1-2', '1-3']);
    });
  });

  it('counts problems that would fill the report', () => {
    const entries = bindAll(
      { ...byWho, time: { from: 'time', zone: 'Europe/Berlin' } },
      Array(50).fill({ time: '2026-03-29 02:30' }),
    );
    expect(codes(entries)).toHaveLength(21);
    expect(entries.at(-1)).toMatchObject({
      reason: '30 more rows of this file have this problem',
      location: { path: 'a.csv' },
    });
  });

  it('fits the model and keeps its text, whatever the cells hold', () => {
    const mapping = {
      author: 'author',
      authorName: 'name',
      reply: 'reply',
      deleted: 'deleted',
      edited: 'edited',
      kind: 'kind',
      attachments: [{ list: 'files', size: 'size' }, { url: 'name' }],
      reactions: { list: 'files' },
      custom: { __proto__x: 'kind' },
    };
    const cells = fc.record(
      Object.fromEntries(
        ['author', 'name', 'reply', 'deleted', 'edited', 'kind', 'files', 'text'].map((name) => [name, anyText]),
      ),
    );
    fc.assert(
      fc.property(cells, (row) => {
        const entries = bindAll(mapping, [row], { nulls: [] });
        for (const message of messagesIn(entries)) {
          expect(() => messageSchema.parse(message)).not.toThrow();
          expect(message.text).toBe(row.text);
        }
        expect(entries.length).toBeGreaterThan(0);
      }),
    );
  });
});
