import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStoreToRead } from '../../src/store/open.ts';
import { importWithPoison } from '../scenes/import-with-poison.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from '../cli/in-process.ts';
import { smallExport } from '../cli/samples.ts';

const home = temporaryFolder();

function ask(path: string, countMax: number) {
  const store = openStoreToRead(path);
  try {
    return store.totals.findings.newest(countMax);
  } finally {
    store.close();
  }
}

it('newestProblems() lists the places in the export with the problems read last', async () => {
  const folder = home.make();
  const path = smallExport(folder);
  writeFileSync(join(path, 'general', '2024-03-02.json'), '[{"type":"message"},{"type":"message"},{"type":"message"}]');
  await run(['plan', path], { folder });
  const found = ask(join(folder, 'chatferry.db'), 2);
  const place = (number: number) => `general/2024-03-02.json#/${number}`;
  expect(found.map(({ of, place, code }) => ({ of, place, code }))).toEqual(
    [2, 1].map((number) => ({ of: 'export', place: place(number), code: 'missing-ts' })),
  );
});

it('newestProblems() lists failed requests and failed messages, newest first', async () => {
  const folder = home.make();
  await importWithPoison(folder, { messages: 40, conversations: 4 }, { status: 400, others: 'not stored', share: 0.2 });
  const found = ask(join(folder, 'here.db'), 5);
  const requests = found.filter(({ of }) => of === 'request');
  expect(requests).toHaveLength(5);
  expect(requests[0]).toMatchObject({
    place: expect.stringMatching(/^batch \d+, attempt \d+$/),
    atMs: expect.any(Number),
  });
  expect(found.filter(({ of }) => of === 'message').length).toBeGreaterThan(0);
});
