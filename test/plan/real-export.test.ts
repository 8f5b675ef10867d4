import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../requirements.ts';
import { importHere } from '../scenes/import-here.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const exports = sharedFolder('exports/slack');
const home = temporaryFolder();

describe.skipIf(exports === null)('an import of a real workspace of 2016', () => {
  it('accounts for all 1,382 rows, and a second one has nothing to do', async () => {
    const folder = home.make();
    const workspace = join(exports!, 'workspace-2016');
    const { report, exit } = await importHere(folder, workspace);
    const { totals } = report;
    expect(totals).toMatchObject({
      read: 1382,
      duplicates: 0,
      failed: 0,
      pending: 0,
      unconfirmed: 0,
      existing: 0,
      late: 0,
    });
    expect(totals.planned + totals.skipped + totals.invalid).toBe(totals.read);
    expect(totals.imported).toBe(totals.planned);
    expect(report.skipped.reduce((sum, { count }) => sum + count, 0)).toBe(totals.skipped);
    expect(report.invalid.reduce((sum, { count }) => sum + count, 0)).toBe(totals.invalid);
    expect(report.conversations.reduce((sum, { read }) => sum + read, 0)).toBe(totals.read);
    expect(report.requests.import).toBe(Math.ceil(totals.planned / 50));
    expect(report.verify).toEqual({
      same: totals.planned,
      missing: 0,
      extra: 0,
      different: 0,
      duplicated: 0,
      foreign: 0,
    });
    expect(exit).toBe(totals.invalid > 0 ? 3 : 0);

    const again = await importHere(folder, workspace);
    expect(again.report.totals).toEqual(totals);
    expect(again.report.requests).toEqual({ import: 0, list: 0, retried: 0, rateLimited: 0 });
  });
});
