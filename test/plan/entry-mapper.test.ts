import { describe, expect, it } from 'vitest';
import type { StagedItem } from '../../src/checkpoint/staging/staged-item.ts';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { EntryMapper } from '../../src/plan/entry-mapper.ts';
import { recordOf, rulesOf, sentAtMs } from '../mapping/fixture.ts';

/** What becomes of records, in order. */
function itemsOf(records: readonly ChatRecord[], mapping: object = {}): StagedItem[] {
  const items: StagedItem[] = [];
  const mapper = new EntryMapper(
    { mapping: { rules: rulesOf(mapping), hash: '', base: '' }, limits: {}, nowMs: sentAtMs + 1000 },
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
  ])('knows what a bot says about itself that %s', (_, records) => {
    const bot = people(itemsOf(records))
      .filter(({ sourceId }) => sourceId === 'B9')
      .at(-1);
    expect(bot?.name).toBe('Deploy');
    const skipping = rows(itemsOf(records, { people: { bots: 'skip' } }));
    expect(skipping.find(({ sender }) => sender === 'B9')?.reason).toBe('bot message');
  });

  it('does not let a message rename somebody whom a file describes', () => {
    const items = itemsOf([{ kind: 'user', id: 'B9', name: 'B9' }, byBot]);
    expect(people(items).filter(({ sourceId }) => sourceId === 'B9')).toHaveLength(1);
  });

  it('skips every message of an excluded conversation, whatever else is wrong with it', () => {
    const [row] = rows(itemsOf([recordOf({ text: '' })], { conversations: { exclude: ['C1'] } }));
    expect(row).toMatchObject({ verdict: 'skipped', reason: 'conversation excluded', payload: null, detail: null });
  });
});
