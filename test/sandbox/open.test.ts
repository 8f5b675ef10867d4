import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importExport, loadMapping, mapMessage, muidOf, openSandbox, writeReport } from '../../src/index.ts';
import type { MessageRecord } from '../../src/index.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

it('openSandbox() serves a service that an import sends to, breaks requests, and says how often a message was stored', async () => {
  const folder = home.make();
  const [from, store] = [join(folder, 'export.ndjson'), join(folder, 'chat.db')];
  writeRecords(from, [person('ann'), channel('room', { members: ['ann'] }), says(1, 'room', 'ann', 'one')]);
  const sandbox = await openSandbox({ apiKey: 'key', duplicates: 'stored' });
  try {
    sandbox.breakBy({ rules: [{ answer: 'reset', applied: 'nothing', operations: ['importMessages'], times: 1 }] });
    const outcome = await importExport({ from, store, to: sandbox.url, apiKey: 'key', overrides: { graceLongMs: 0 } });
    expect(outcome).toMatchObject({ exit: 0, report: { totals: { imported: 1 } } });
    const { origin } = says(1, 'room', 'ann', 'one') as MessageRecord;
    expect(sandbox.applied(muidOf(origin)).times).toBe(1);
    await writeReport(join(folder, 'report'), outcome, { store, formats: ['json'] });
  } finally {
    await sandbox.close();
  }
  await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed');
});

it('openSandbox() refuses a plan of faults that is wrong', async () => {
  await expect(openSandbox({ apiKey: 'key', faults: { rules: [{ answer: 'unknown' }] } })).rejects.toThrow('answer');
});

it('mapMessage() makes the payload of one message', async () => {
  const message = says(1, 'room', 'ann', 'one') as MessageRecord;
  const people = [{ kind: 'user' as const, id: 'ann', name: 'Ann' }];
  expect(mapMessage(message, await loadMapping(undefined), people)).toMatchObject({
    verdict: 'planned',
    sender: 'ann',
    payloads: [{ data: { text: 'one' } }],
  });
});
