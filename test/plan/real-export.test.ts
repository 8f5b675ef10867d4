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
    const { totals: books } = report;
    expect(books).toMatchObject({ read: 1382, repeated: 0, refused: 0, pending: 0, inDoubt: 0, present: 0, late: 0 });
    expect(books.planned + books.skipped + books.invalid).toBe(books.read);
    expect(books.imported).toBe(books.planned);
    expect(report.skipped.reduce((sum, { count }) => sum + count, 0)).toBe(books.skipped);
    expect(report.invalid.reduce((sum, { count }) => sum + count, 0)).toBe(books.invalid);
    expect(report.conversations.reduce((sum, { read }) => sum + read, 0)).toBe(books.read);
    expect(report.requests.import).toBe(Math.ceil(books.planned / 50));
    expect(report.verify).toEqual({
      same: books.planned,
      missing: 0,
      extra: 0,
      different: 0,
      duplicated: 0,
      foreign: 0,
    });
    expect(exit).toBe(books.invalid > 0 ? 3 : 0);

    const again = await importHere(folder, workspace);
    expect(again.report.totals).toEqual(books);
    expect(again.report.requests).toEqual({ import: 0, list: 0, retried: 0, rateLimited: 0 });
  });
});
