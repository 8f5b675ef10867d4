import { describe, expect, it } from 'vitest';
import type { StagedItem } from '../../src/model/staged-item.ts';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { EntryMapper, type EntryMapperOptions } from '../../src/plan/entry-mapper.ts';
import { recordOf, rulesOf, sentAtMs } from '../mapping/fixture.ts';

/** Returns the results of mapping records, in order. */
function itemsOf(
  records: readonly ChatRecord[],
  mapping: object = {},
  onUnforeseen?: EntryMapperOptions['onUnforeseen'],
): StagedItem[] {
  const items: StagedItem[] = [];
  const mapper = new EntryMapper(
    { mapping: { rules: rulesOf(mapping), hash: '' }, limits: {}, nowMs: sentAtMs + 1000, onUnforeseen },
    (item) => items.push(item),
  );
  for (const record of records) mapper.add({ type: 'record', record, location: { path: 'day.json', pointer: '/0' } });
  return items;
}

const people = (items: readonly StagedItem[]) => items.flatMap((item) => (item.type === 'person' ? [item.person] : []));
const rows = (items: readonly StagedItem[]) => items.flatMap((item) => (item.type === 'row' ? [item.row] : []));

const mention: MessageRecord = recordOf({ mentions: ['B9'] });
const byBot: MessageRecord = recordOf({
  origin: { ...recordOf().origin, id: '2' },
  author: 'B9',
  authorDetails: { name: 'Deploy', isBot: true },
});

describe('EntryMapper', () => {
  it('makes up people and conversations that no file describes, each once', () => {
    const items = itemsOf([recordOf(), recordOf({ mentions: ['U1', 'U2'] })]);
    expect(people(items).map(({ sourceId, isPlaceholder }) => [sourceId, isPlaceholder])).toEqual([
      ['U1', true],
      ['U2', true],
    ]);
    expect(items.filter(({ type }) => type === 'conversation')).toHaveLength(1);
  });

  it.each([
    ['was mentioned before it wrote', [mention, byBot]],
    ['wrote before it was mentioned', [byBot, mention]],
  ])('keeps the details of a bot that %s', (_, records) => {
    const bot = people(itemsOf(records))
      .filter(({ sourceId }) => sourceId === 'B9')
      .at(-1);
    expect(bot?.name).toBe('Deploy');
    const skipping = rows(itemsOf(records, { people: { bots: 'skip' } }));
    expect(skipping.find(({ sender }) => sender === 'B9')?.reason).toBe('bot message');
  });

  it('tells authors without an id apart by their names', () => {
    const by = (name?: string) =>
      recordOf({ author: undefined, ...(name !== undefined && { authorDetails: { name } }) });
    const items = itemsOf([by('Tide bot'), by('Gate bot'), by()]);
    expect(people(items).map(({ sourceId, name }) => [sourceId, name])).toEqual([
      ['unknown:Tide bot', 'Tide bot'],
      ['unknown:Gate bot', 'Gate bot'],
      ['unknown', 'Unknown author'],
    ]);
    const asked = items.flatMap((item) => (item.type === 'problem' ? [item.code] : []));
    expect(asked.filter((code) => code === 'no-author')).toHaveLength(1);
  });

  it('does not ask whether people are one whom the mapping merges', () => {
    const items: StagedItem[] = [];
    const mapping = { rules: rulesOf({ people: { merge: [['+44', '044']] } }), hash: '' };
    const mapper = new EntryMapper({ mapping, limits: {}, nowMs: sentAtMs }, (item) => items.push(item));
    const add = (about: readonly string[]) =>
      mapper.add({ type: 'problem', code: 'smsbackup-same-number', reason: '', location: { path: 'a' }, about });
    add(['+44', '044']);
    add(['+44', '055']);
    expect(items).toMatchObject([{ type: 'problem', about: ['+44', '055'] }]);
  });

  it('does not let a message rename a person described in a file', () => {
    const items = itemsOf([{ kind: 'user', id: 'B9', name: 'B9' }, byBot]);
    expect(people(items).filter(({ sourceId }) => sourceId === 'B9')).toHaveLength(1);
  });

  it.each([' https://example.com/a.png', 'https://example.com/a.png \n', '\tHTTPS://example.com/a.png\u00a0'])(
    'accepts %j as the address of a file',
    (url) => {
      const record = recordOf({
        attachments: [{ name: 'a.png', url }],
        authorDetails: { name: 'Ada', avatarUrl: url },
      });
      const items = itemsOf([record]);
      const { data } = JSON.parse(rows(items)[0]!.payload!) as { data: { attachments: { url: string }[] } };
      expect(data.attachments.map((file) => file.url)).toEqual(['https://example.com/a.png']);
      expect(items.flatMap((item) => (item.type === 'problem' ? [item.code] : []))).not.toContain(
        'attachment-bad-address',
      );
      expect(rows(items)[0]!.files).toBeUndefined();
    },
  );

  it('leaves the blank at the beginning of a path inside the export', () => {
    const [row] = rows(itemsOf([recordOf({ attachments: [{ name: 'a.png', url: ' a.png' }] })]));
    expect(JSON.stringify(row!.files)).toContain(String.raw`\" a.png\"`);
  });

  it('takes the picture of a person if its address is surrounded by blanks', () => {
    const [person] = people(
      itemsOf([{ kind: 'user', id: 'U1', name: 'Ada', avatarUrl: ' https://example.com/a.png ' }]),
    );
    expect(JSON.stringify(person)).toContain(String.raw`"avatar\":\"https://example.com/a.png\"`);
  });

  it('skips every message of an excluded conversation, whatever else is wrong with it', () => {
    const [row] = rows(itemsOf([recordOf({ text: '' })], { conversations: { exclude: ['C1'] } }));
    expect(row).toMatchObject({ verdict: 'skipped', reason: 'conversation excluded', payload: null, detail: null });
  });

  it('turns a message that cannot be mapped into an invalid row, and continues with the next', () => {
    const unforeseen: unknown[] = [];
    const broken = recordOf({ attachments: [{ url: 'photo.png' } as never] });
    const items = itemsOf([broken, byBot], {}, (error) => unforeseen.push(error));
    expect(rows(items).map(({ verdict, reason, muid }) => [verdict, reason, muid !== null])).toEqual([
      ['invalid', 'row-not-understood', false],
      ['planned', null, true],
    ]);
    expect(rows(items)[0]).toMatchObject({
      conversation: 'C1',
      place: '/0',
      detail: expect.stringContaining('TypeError'),
    });
    expect(unforeseen).toEqual([expect.any(TypeError)]);
  });

  it('names a person who cannot be mapped, and knows them by their id', () => {
    const items = itemsOf([{ kind: 'user', id: 'U1', name: { toString: 1 } as never }, recordOf()]);
    expect(items.find(({ type }) => type === 'problem')).toMatchObject({
      code: 'row-not-understood',
      place: 'day.json#/0',
    });
    expect(people(items).map(({ sourceId, name }) => [sourceId, name])).toEqual([['U1', 'U1']]);
    expect(rows(items)).toMatchObject([{ verdict: 'planned' }]);
  });

  it('stops at what staging throws', () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const fail = () => {
      throw full;
    };
    const mapping = { rules: rulesOf({}), hash: '' };
    const mapper = new EntryMapper({ mapping, limits: {}, nowMs: sentAtMs + 1000 }, fail);
    const add = () => mapper.add({ type: 'record', record: recordOf(), location: { path: 'day.json', pointer: '/0' } });
    expect(add).toThrow(full);
  });
});
