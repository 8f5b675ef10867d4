import { describe, expect, it } from 'vitest';
import { firedAlarms } from '../../src/decisions/alarms.ts';
import { type BesideReading, nothingBeside, type ReadingResult } from '../../src/model/reading-result.ts';

const right: ReadingResult = {
  messages: 1000,
  invalid: 0,
  skipped: [],
  people: {
    described: 60,
    wrote: 50,
    top: [{ name: 'Ann Berg', count: 90 }],
    once: 2,
    unknown: 0,
    nobody: 0,
    names: { name: 50, id: 0, hash: 0, mail: 0, local: 0 },
    twice: 0,
  },
  conversations: {
    count: 100,
    ofTwo: 90,
    top: [],
    oneMessage: 10,
    oneWriter: 12,
    voice: { name: 'Ann Berg', count: 9 },
  },
  times: { firstMs: 1, lastMs: 2, outside: 0, againstIds: 3, ordered: 999 },
  texts: { looked: 1000, cipher: 0 },
  copies: { count: 3, isExact: true },
};

type Change = { readonly [Key in keyof ReadingResult]?: Partial<ReadingResult[Key]> };

function result(change: Change): ReadingResult {
  const entries = Object.entries(right).map(([key, value]) => {
    const own = change[key as keyof ReadingResult];
    return [key, typeof own === 'object' ? { ...(value as object), ...own } : (own ?? value)];
  });
  return Object.fromEntries(entries) as ReadingResult;
}

const fired = (change: Change, beside: Partial<BesideReading> = {}, seen = {}, isTable = true) =>
  firedAlarms(result(change), { ...nothingBeside, ...beside }, { isTable, seen });
const names = (...given: Parameters<typeof fired>) => fired(...given).map(({ id }) => id.replace('alarm-', ''));

const wrong: readonly (readonly [name: string, change: Change, beside?: Partial<BesideReading>])[] = [
  ['nobody', { people: { unknown: 21 } }],
  ['one-voice', { conversations: { voice: { name: 'Ann', count: 34 } } }],
  ['monologues', { conversations: { oneWriter: 91 } }],
  ['crumbs', { conversations: { oneMessage: 80, oneWriter: 80 } }],
  [
    'one-room',
    { conversations: { count: 1, oneMessage: 0, oneWriter: 0 } },
    { rooms: [{ column: 'room', table: null, values: 90 }] },
  ],
  ['two-in-one', { people: { twice: 1 } }],
  ['two-in-one', {}, { shared: [{ tables: ['users', 'drivers'], ids: ['1', '2'] }] }],
  ['numbers-for-names', { people: { names: { name: 24, id: 20, hash: 3, mail: 3, local: 0 } } }],
  ['cipher', { texts: { cipher: 501 } }],
  ['copies', { copies: { count: 51, isExact: false } }],
  ['rival', {}, { rivals: [{ table: 'notes', rows: 7 }] }],
  ['split', {}, { splits: [{ column: 'tenant', values: 3, to: 'tenants' }] }],
  ['clock', { times: { outside: 2 } }],
  ['clock', { times: { firstMs: 5, lastMs: 5 } }],
  ['clock', { times: { againstIds: 300 } }],
];

describe('firedAlarms()', () => {
  it('says nothing of a right reading', () => expect(names({})).toEqual([]));

  it.each(wrong.map(([name, change, beside]) => ({ name, change, beside })))(
    '$name fires alone: $change $beside',
    ({ name, change, beside }) => {
      const [decision, ...others] = fired(change, beside);
      expect(others).toEqual([]);
      expect(decision).toMatchObject({ id: `alarm-${name}`, ifUndecided: { stops: true } });
      expect(decision!.why).toMatch(/\d|"/);
      const { effect } = decision!.options.at(-1)!;
      const sets = 'sets' in effect ? effect.sets : {};
      const shown = sets[`reading.seen.${name}`]!;
      expect(shown).not.toBe('');
      expect(names(change, beside, { [name]: shown })).toEqual([]);
      expect(names(change, beside, { [name]: 'yes' })).toEqual([]);
      for (const { does } of decision!.options) expect(does).toMatch(/^[A-Z][a-z]+ [^`=]*$/);
      expect(decision!.question).toMatch(/^[A-Z][^`=_]*\?$/);
    },
  );

  it('asks again once there is twice as much, or another table', () => {
    expect(names({ people: { unknown: 50 } }, {}, { nobody: '30 of 1000' })).toEqual([]);
    expect(names({ people: { unknown: 70 } }, {}, { nobody: '30 of 1000' })).toEqual(['nobody']);
    const rivals = ['notes', 'memos'].map((table) => ({ table, rows: null }));
    expect(names({}, { rivals }, { rival: 'notes' })).toEqual(['rival']);
    expect(names({}, { rivals }, { rival: 'memos, notes' })).toEqual([]);
  });

  it('of a platform, which says itself what a field means, six ask, and none stops', () => {
    const found = wrong.flatMap(([, change, beside]) => fired(change, beside, {}, false));
    expect([...new Set(found.map(({ id }) => id))].sort()).toEqual(
      ['cipher', 'clock', 'copies', 'nobody', 'numbers-for-names', 'two-in-one'].map((name) => `alarm-${name}`),
    );
    for (const { ifUndecided, options } of found) {
      expect(ifUndecided).not.toHaveProperty('stops');
      for (const { effect } of options) expect(effect).not.toHaveProperty('asks');
    }
  });

  it('says nothing of patterns on few messages that are not true of all of them, and of rows from two and a tenth', () => {
    const few = { messages: 40, people: { unknown: 4 }, copies: { count: 4 }, times: { outside: 20 } };
    const looks = { texts: { looked: 40, cipher: 20 }, conversations: { count: 10, oneMessage: 9, oneWriter: 9 } };
    expect(names({ ...few, ...looks })).toEqual([]);
    const rows = { people: { unknown: 5 }, texts: { looked: 40, cipher: 21 }, copies: { count: 5 } };
    expect(names({ messages: 40, ...rows })).toEqual(['nobody', 'cipher', 'copies']);
    expect(names({ messages: 5, people: { unknown: 1 }, copies: { count: 1 } })).toEqual([]);
    expect(
      names({
        messages: 3,
        copies: { count: 0 },
        conversations: { count: 3, oneMessage: 3, oneWriter: 3, voice: null },
      }),
    ).toEqual([]);
  });

  it('takes those whom only messages name for people, where the export describes nobody', () => {
    expect(names({ people: { described: 0, unknown: 1000 } })).toEqual([]);
    expect(names({ people: { described: 0, unknown: 1000, nobody: 400 } })).toEqual(['nobody']);
  });
});
