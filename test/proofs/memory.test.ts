import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInHeap } from '../scenes/limited-heap.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

/** `nightly/memory` has the other proofs about memory. */

const home = temporaryFolder();

const mapping = `version: 1
source:
  messages: { id: id, conversation: channel, author: author, time: time, text: text }
  zone: UTC
# One person says one thing, in one room, at one time.
reading: { seen: { clock: yes, one-room: yes, one-voice: yes, split: yes, nobody: yes, numbers-for-names: yes, copies: yes } }
`;

const rowCount = 5_500;
/** 10,000 characters. The dash makes V8 keep two bytes for each: 105 MiB for all rows, from a file of half that size. */
const text = `– ${'words and more of them '.repeat(435)}`;

/** With the look at the first 4 MiB of the table, of which each character takes two bytes; without it 20 was enough (2026-11). */
const heapMiB = 56;

it(`plan does not collect rows: a table whose texts take 105 MiB is planned in a heap of ${heapMiB} MiB`, async ({
  task,
}) => {
  const folder = home.make();
  writeFileSync(join(folder, 'm.yaml'), mapping);
  const table = join(folder, 'chat.csv');
  writeFileSync(table, 'id,channel,author,time,text\n');
  const rowsAtOnce = 500;
  for (let first = 1; first <= rowCount; first += rowsAtOnce) {
    const rows = Array.from(
      { length: rowsAtOnce },
      (_, at) => `${first + at},general,ann,2024-03-01T10:00:00Z,${text}\n`,
    );
    appendFileSync(table, rows.join(''));
  }
  const { stdout } = await runInHeap(['plan', 'chat.csv', '--mapping', 'm.yaml'], { task, folder, heapMiB });
  expect(stdout).toContain('5,500 messages are ready to go');
});
