import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatCount } from '../../src/lib/text/count.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { isNightly } from '../tier.ts';

const home = temporaryFolder();
/** More than is read at once. */
const manyRows = isNightly ? 20_000 : 5_000;

const header = 'id,channel,author,time,text\n';
const good = (id: number) =>
  `${id},general,u${id % 7},2024-03-01T10:${String(Math.floor(id / 60) % 60).padStart(2, '0')}:${String(id % 60).padStart(2, '0')}Z,row ${id} of the table\n`;
const goodRows = (count: number, from = 100) =>
  Array.from({ length: count }, (_, index) => good(from + index)).join('');
const open = '7,general,u7,2024-03-01T09:00:00Z,"never closed\n';
const mapping = `version: 1
source:
  messages: { id: id, conversation: channel, author: author, time: time, text: text }
  zone: UTC
`;

function folderWith(text: string): string {
  const folder = home.make();
  writeFileSync(join(folder, 'chat.csv'), text);
  writeFileSync(join(folder, 'm.yaml'), mapping);
  return folder;
}

async function planned(text: string) {
  const folder = folderWith(text);
  const { code, stdout, stderr } = await run(['plan', 'chat.csv', '--mapping', 'm.yaml'], { folder });
  expect(stderr).not.toMatch(/^\s+at /m);
  const { json } = await runJson(['status'], { folder });
  return { code, stdout, read: json.read, planned: json.planned, invalid: json.invalid };
}

describe('one quote that is never closed', () => {
  it('before many good rows costs its row, and is a decision that is shown', async () => {
    const found = await planned(`${header}${goodRows(300, 1_000_000)}${open}${goodRows(manyRows)}`);
    expect(found).toMatchObject({ code: 3, read: manyRows + 301, planned: manyRows + 300, invalid: 1 });
    expect(found.stdout).toMatch(/^ +1 {2}unclosed-quote .*\n +chat\.csv:302/m);
    expect(found.stdout).toMatch(/^ +Do quotation marks enclose fields in this file\? {2}/m);
  });

  it('is inspected as well', async () => {
    const folder = folderWith(`${header}${open}${goodRows(manyRows)}`);
    const { code, stdout } = await run(['inspect', 'chat.csv', '--mapping', 'm.yaml'], { folder });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(new RegExp(`Messages +${formatCount(manyRows + 1)} `));
    expect(stdout).toContain('1 row cannot be read');
  });

  it('in row 2 of a large file leaves it its header', async () => {
    const found = await planned(`${header}${open}${goodRows(manyRows)}`);
    expect(found).toMatchObject({ code: 3, read: manyRows + 1, planned: manyRows, invalid: 1 });
  });

  it('takes the lines of its own text with it, and no other', async () => {
    const text = `${header}${good(1)}${open}second line, of the text\nthird line\n\n${goodRows(50)}`;
    expect(await planned(text)).toMatchObject({ code: 3, read: 52, planned: 51, invalid: 1 });
  });

  it('is detected by the next quote, and the rows between are read', async () => {
    const quoted = '9,general,u9,2024-03-01T09:30:00Z,"closed, with a comma"\n';
    const text = `${header}${good(1)}${open}${goodRows(500)}${quoted}${goodRows(500, 1000)}`;
    const found = await planned(text);
    expect(found).toMatchObject({ code: 3, read: 1003, planned: 1002, invalid: 1 });
    expect(found.stdout).toContain('rows-behind-quote');
  });

  it('at the very end is the last row', async () => {
    expect(await planned(`${header}${goodRows(50)}${open.trimEnd()}`)).toMatchObject({
      read: 51,
      planned: 50,
      invalid: 1,
    });
  });
});
