import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import { bindAll, rowOf } from './rows.ts';

const sentAt = (index: number) => `2026-03-02T09:${String(10 + index).padStart(2, '0')}:00Z`;

async function propose(rows: readonly Readonly<Record<string, unknown>>[], messages = {}) {
  const all = rows.map((row, index) => ({
    ...{
      id: String(index + 1),
      room_id: 'a',
      user_id: `u${index % 2}`,
      created_at: sentAt(index),
      text: `words ${index}`,
    },
    ...row,
  }));
  const samples = [{ path: 'a.csv', table: {}, rows: all.map((row, index) => rowOf(row, index + 1)) }];
  const { findings, options } = await proposeBindings(samples, { messages });
  const finding = (key: string) => findings.find((found) => found.key === `messages.${key}`);
  return {
    bound: options.messages as Readonly<Record<string, unknown>>,
    finding,
    readings: (key: string) => finding(key)?.alternatives.map(({ value }) => value),
  };
}

describe('answers', () => {
  const flat = ['', '1', '1', ''].map((parent_id) => ({ parent_id }));
  const chained = ['', '1', '2', '3'].map((parent_id) => ({ parent_id }));
  const none = { constant: '' };

  it('are asked about: threads first; if one answers another, all are quotes', async () => {
    expect((await propose(flat)).readings('reply')).toEqual(['parent_id', none]);
    expect((await propose(flat)).finding('reply')?.alternatives.every(({ isHarmless }) => isHarmless)).toBe(true);
    expect((await propose(chained)).bound).toMatchObject({ quote: 'parent_id' });
    expect((await propose(chained)).finding('quote')?.because).toContain('2 of these answer an answer');
  });

  it('become quotes if the user says they are not replies, and vice versa', async () => {
    expect((await propose(flat, { reply: none })).bound).toMatchObject({ reply: none, quote: 'parent_id' });
    expect((await propose(chained, { quote: none })).bound).toMatchObject({ quote: none, reply: 'parent_id' });
    expect((await propose(flat, { reply: 'parent_id' })).bound).not.toHaveProperty('quote');
  });

  it('belong to a thread if another column names the quoted message', async () => {
    const rows = flat.map((row, index) => ({ ...row, quoted_id: index === 3 ? '2' : '' }));
    expect((await propose(rows)).bound).toMatchObject({ quote: 'quoted_id', reply: 'parent_id' });
  });
});

describe('times of updating', () => {
  it('are no edits: a reaction or a mark of reading touches a row as well', async () => {
    const { bound } = await propose(['', '2026-03-03T00:00:00Z'].map((updated_at) => ({ updated_at })));
    expect(bound).not.toHaveProperty('edited');
  });

  it('are not edits if the mapping says so, and nothing is asked if a column is named for edits', async () => {
    const edited = bindAll({ edited: { from: { constant: false } } }, [{ id: '1' }]);
    expect(JSON.stringify(edited)).not.toContain('edited');
    const rows = ['', '2026-03-03T00:00:00Z'].map((edited_at) => ({ edited_at, updated_at: '2026-03-04T00:00:00Z' }));
    expect((await propose(rows)).bound).toMatchObject({ edited: 'edited_at' });
  });
});

describe('pins', () => {
  it('are flags or times, and nothing else', async () => {
    expect((await propose([{ pinned: '1' }, { pinned: '0' }])).bound).toMatchObject({ pinned: 'pinned' });
    expect((await propose([{ pinned: 'top left' }, { pinned: '' }])).bound).not.toHaveProperty('pinned');
  });
});

describe('the order of rows', () => {
  const [early, late] = ['2026-03-02T09:15:00Z', '2026-03-02T09:16:00Z'];
  const rowsOf = (...rows: (readonly [id: string, created_at: string])[]) =>
    rows.map(([id, created_at]) => ({ id, created_at }));

  it('is newest first where times and ids fall', async () => {
    const { bound, finding } = await propose(rowsOf(['4', late], ['3', late], ['2', late], ['1', early]));
    expect(bound).toMatchObject({ order: 'newest-first' });
    expect(finding('order')?.because).toBe(
      'times rise in 0 and fall in 1 neighbouring rows, 2 have the time of the one before, with ids that rise in 0 and fall in 2',
    );
  });

  it.each([
    ['times rise', rowsOf(['1', early], ['2', late])],
    ['ids of one time rise', rowsOf(['1', early], ['2', early])],
    ['ids of one time rise, though times fall', rowsOf(['2', late], ['3', late], ['1', early])],
    ['times are mixed, and none comes twice', rowsOf(['1', late], ['2', early], ['3', sentAt(7)], ['4', sentAt(1)])],
  ])('is not spoken of where %s', async (_, rows) => {
    expect((await propose(rows)).finding('order')).toBeUndefined();
  });

  it('is asked if several messages have the same time and nothing shows which was first', async () => {
    const { readings, bound } = await propose(rowsOf(['x', early], ['a', early], ['k', early]));
    expect(readings('order')).toEqual(['oldest-first', 'newest-first']);
    expect(bound).not.toHaveProperty('order');
  });

  it('is held against all rows while they are read', async () => {
    const rows = ['4', '3', '2', '1'].map((id) => ({ id, time: id === '1' ? '1700000000' : '1700000060' }));
    const problems = (order: string, all = rows) =>
      bindAll({ order }, all).filter((entry) => entry.type === 'problem' && entry.code === 'order-contradicted');
    expect(problems('newest-first')).toEqual([]);
    expect(problems('oldest-first')).toMatchObject([{ count: 2 }]);
    expect(problems('newest-first', [...rows].reverse())).toMatchObject([{ count: 2 }]);
    // If no two messages have the same time, the order of the rows decides nothing.
    const apart = rows.map((row, index) => ({ ...row, time: String(1_700_000_060 - index) }));
    expect(problems('oldest-first', apart)).toEqual([]);
  });
});

describe('columns of files', () => {
  it('are none where each author has one value in all rows: that is a picture of them', async () => {
    const pictures = ['a.png', 'b.png', 'a.png', 'b.png'];
    const rows = pictures.map((file) => ({ image: `https://x.example/${file}` }));
    expect((await propose(rows)).finding('attachments')).toBeUndefined();
    const shots = ['1.png', '2.png', '3.png', ''].map((file) => ({ image: file && `https://x.example/${file}` }));
    expect((await propose(shots)).bound).toMatchObject({ attachments: [{ url: 'image' }] });
  });

  it('are described by the column of media types, which is no kind of row', async () => {
    const rows = ['image/png', 'video/mp4'].map((type, index) => ({ type, file: `https://x.example/${index}` }));
    expect((await propose(rows)).bound).toMatchObject({ attachments: [{ url: 'file', type: 'type' }] });
    expect((await propose(rows)).finding('kind')).toBeUndefined();
  });
});
