import { expect, it } from 'vitest';
import { messageColumns, messagesIn, readCsv } from './export-of.ts';

const count = 40;
const lines = (header: string, row: (number: number) => string) =>
  [header, ...Array.from({ length: count }, (_, index) => row(index + 1)), ''].join('\n');

const files = {
  'messages.csv': lines(
    'id,room,who,at,text',
    (number) => `${number},r,u${count + 1 - number},${1_700_000_000 + number},hi`,
  ),
  'people.csv': lines('id,name', (number) => `u${number},Person ${number}`),
};
const source = {
  messages: { ...messageColumns, author: 'who' },
  users: { id: 'id', name: 'name' },
  tables: { messages: { file: 'messages.csv' }, users: { file: 'people.csv' } },
};

it.each([1, 7, count, count + 1])('rowsMax ends each table after %d rows', async (rowsMax) => {
  const entries = await readCsv(files, source, { look: { rowsMax } });
  const people = entries.filter((entry) => entry.type === 'record' && entry.record.kind === 'user');
  const shown = Math.min(rowsMax, count);
  expect([messagesIn(entries).length, people.length]).toEqual([shown, shown]);
});

it('rowsMax leaves the tables whole that a query joins', async () => {
  const query =
    'SELECT m.id, m.room, p.name AS who, m.at, m.text FROM messages m JOIN people p ON p.id = m.who ORDER BY m.id';
  const entries = await readCsv(files, { ...source, tables: { messages: { query } } }, { look: { rowsMax: 7 } });
  expect(messagesIn(entries).map(({ author }) => author)).toContain(`Person ${count}`);
});
