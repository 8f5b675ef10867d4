import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addBooks, noBooks } from '../../../src/model/books.ts';
import { partsOf, planPart } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const names = ['Ann', 'Bob', 'Cleo', 'Dov', 'Eve'];
const rowOf = {
  whatsapp: (name: string, number: number) => `[13/03/2024, 12:00:${number + 10}] ${name}: Message ${number}\n`,
  csv: (name: string, number: number) =>
    `${name}-${number},${name},me,2024-03-13T12:00:${number + 10}Z,Message ${number}\n`,
};
const mapping = `
source:
  messages: { id: id, conversation: room, author: who, text: text, time: { from: at, format: iso } }
`;

/** Every conversation a file of its own, or all in one. */
const sources = [
  { source: 'whatsapp', head: '', fileOf: (name: string) => `WhatsApp Chat with ${name}.txt`, changes: {} },
  { source: 'csv', head: 'id,room,who,at,text\n', fileOf: () => 'messages.csv', changes: { mapping } },
] as const;

it.each(sources)(
  'parts of a growing export of $source stay what they are',
  async ({ source, head, fileOf, changes }) => {
    const folder = home.make();
    mkdirSync(join(folder, 'export'));
    const append = (name: string, number: number) =>
      appendFileSync(join(folder, 'export', fileOf(name)), rowOf[source](name, number));
    for (const name of names) writeFileSync(join(folder, 'export', fileOf(name)), head);
    for (const name of names) for (let number = 1; number <= 3; number++) append(name, number);
    const plans = async () => {
      const books = noBooks();
      const rows: string[] = [];
      for (const part of partsOf(3)) {
        const planned = await planPart(folder, part, { source, ...changes });
        addBooks(books, planned.report.books);
        rows.push(...planned.rows);
      }
      return { books, rows: rows.sort() };
    };
    const whole = async (store: string) => {
      const { report, rows } = await planPart(folder, undefined, { source, ...changes, store: join(folder, store) });
      return { books: report.books, rows };
    };
    expect(await plans()).toEqual(await whole('first.db'));
    expect((await plans()).books.read).toBe(15);
    append('Ann', 4);
    append('Eve', 4);
    append('Ann', 5);
    expect(await plans()).toEqual(await whole('second.db'));
    expect(await plans()).toEqual(await whole('second.db'));
  },
);
