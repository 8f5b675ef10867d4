import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { readStatus, verifyDestination } from '../../src/commands/check.ts';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a command needs only a store and an export: the sandbox next to the store receives the messages', async () => {
  const folder = home.make();
  const made = makeExport(join(folder, 'export'), { seed: 1, messages: 20, people: 3, channels: 1 });
  const request = { from: made.folder, to: 'sandbox', store: join(folder, 'chatferry.db') };
  const planned = await planExport(request);
  expect(planned.report).toMatchObject({ destination: { name: 'sandbox' }, totals: { planned: made.planned } });
  const { report, exit } = await importExport(request);
  expect({ exit, totals: report.totals }).toMatchObject({ exit: 0, totals: { imported: made.planned, pending: 0 } });
  expect(report.verify).toMatchObject({ same: made.planned, missing: 0 });
  expect((await verifyDestination({ store: request.store })).exit).toBe(0);
  expect(readStatus({ store: request.store }, 'status').totals.imported).toBe(made.planned);
});
