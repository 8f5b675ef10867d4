import { expect, it } from 'vitest';
import { addBooks, noBooks } from '../../../src/model/books.ts';
import { listSamples, onePerSource } from '../../contracts/samples.ts';
import { isNightly } from '../../tier.ts';
import { partsOf, planSample } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const samples = isNightly ? listSamples() : onePerSource();
const cases = samples.map((sample, index) => ({ ...sample, of: 2 + (index % 4) }));

it.each(cases)('$source/$name in $of parts has the rows, and the books, of one store', async ({ of, ...sample }) => {
  const folder = home.make();
  const whole = await planSample(sample, folder);
  const rows: string[] = [];
  const books = noBooks();
  for (const part of partsOf(of)) {
    const planned = await planSample(sample, folder, part);
    rows.push(...planned.rows);
    addBooks(books, planned.report.books);
  }
  expect(rows.sort()).toEqual(whole.rows);
  expect(books).toEqual(whole.report.books);
});
