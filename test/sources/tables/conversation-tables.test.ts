import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/sources/csv/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesIn, readCsv } from './export-of.ts';

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

async function propose(files: MemoryFiles, source: Record<string, unknown>) {
  const { findings, options } = await csv.propose(memoryInput(files), source);
  return { options, finding: (key: string) => findings.find((found) => found.key === key) };
}

describe('a table of conversations whose name says nothing', () => {
  const files = {
    'folk.csv': lines('id,name', ...range(4).map((i) => `${i + 11},Ada ${i}`)),
    'spots.csv': lines('id,label', ...range(4).map((i) => `${i + 1},Spot ${i}`)),
    'tags.csv': lines('id,label', ...range(4).map((i) => `${i + 1},tag ${i}`)),
    'orders.csv': lines('id,title', ...range(40).map((i) => `${i + 1},Order ${i}`)),
    'posts.csv': lines(
      'id,who,place,sent_at,body',
      ...range(40).map(
        (i) => `${i + 100},${11 + (i % 4)},${1 + ((i >> 2) % 4)},2026-03-01T09:${10 + i}:00Z,Ship ${i} waits`,
      ),
    ),
  };
  const said = { messages: { file: 'posts.csv' }, users: { file: 'folk.csv' } };

  it('decides the column of the messages once the owner names it, and gives the names', async () => {
    const { options } = await propose(files, { tables: { ...said, conversations: { file: 'spots.csv' } } });
    expect(options).toMatchObject({
      messages: { author: 'who', conversation: 'place' },
      conversations: { id: 'id', name: 'label' },
    });
  });

  it('is asked about once the owner names the column: each that has all ids, and few others', async () => {
    const { finding } = await propose(files, { tables: said, messages: { conversation: 'place' } });
    const values = finding('tables.conversations')!.alternatives.map(({ value }) => value);
    expect(values).toEqual([{ file: 'spots.csv' }, { file: 'tags.csv' }, 'none']);
    const none = await propose(files, {
      tables: { ...said, conversations: 'none' },
      messages: { conversation: 'place' },
    });
    expect(none.finding('tables.conversations')).toBeUndefined();
  });
});

describe('answers to answers, where nothing names a conversation', () => {
  const parents = ['', '1', '2', '2', '', '5', '6', '10', '9', '8'];
  const files = {
    'users.csv': lines('id,name,email', '1,Ann,a@x.example', '2,Bo,b@x.example', '3,Cy,c@x.example'),
    'messages.csv': lines(
      'id,user_id,parent_id,created_at,body',
      ...parents.map(
        (parent, i) => `${i + 1},${1 + (i % 3)},${parent},2026-03-01T09:${10 + i}:00Z,Ship ${i} waits here`,
      ),
    ),
  };

  it('belong to the thread of the first, and those in a circle begin one', async () => {
    const { options, finding } = await propose(files, {});
    const offered = finding('messages.conversation')!;
    expect(offered).toMatchObject({ isRequired: true });
    expect(offered.value).toBeUndefined();
    expect(offered.alternatives[0]!.value).toBe('root_id');
    const messages = { ...(options.messages as object), conversation: 'root_id' };
    const read = messagesIn(await readCsv(files, { ...options, messages }));
    expect(read.map(({ origin }) => `${origin.id}:${origin.conversation}`)).toEqual([
      '1:1',
      '2:1',
      '3:1',
      '4:1',
      '5:5',
      '6:5',
      '7:5',
      '8:8',
      '9:9',
      '10:10',
    ]);
  });
});
