import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../src/lib/errors.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { makeZip } from '../io/make-zip.ts';
import { everyNth } from '../tier.ts';
import { sharedFolder } from '../requirements.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { Outcome } from '../../src/commands/results.ts';

const home = temporaryFolder();
const jsonSuite = sharedFolder('corpora/JSONTestSuite/test_parsing');
const made = sharedFolder('corpora/made');
const generatedZips = sharedFolder('corpora/zip-generated');
const zipCases = sharedFolder('corpora/yauzl-zip-cases/test');

const [ann, bob] = [userId(1), userId(2)];

/** Makes an export with two good messages, in the files before and after any file that a test adds. */
function goodExport(): string {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
    'general/2024-03-01.json': [message('1709251200.000100', ann, 'before')],
    'general/2024-12-31.json': [message('1735603200.000100', bob, 'behind')],
  });
  return folder;
}

const namesIn = (folder: string | null, ending: string) =>
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(ending))
        .sort();

/** Checks the rules that hold for any input: totals that add up, and a location for each row that was not taken. */
function expectAccounted({ report, exit }: Outcome): void {
  const { totals } = report;
  expect(totals.read).toBe(totals.planned + totals.skipped + totals.invalid);
  expect(totals.planned).toBe(totals.imported + totals.existing + totals.failed + totals.pending + totals.unconfirmed);
  expect(report.invalid.reduce((sum, { count }) => sum + count, 0)).toBe(totals.invalid);
  for (const { code, examples } of [...report.invalid, ...report.problems]) {
    for (const { location } of examples) expect(location, code).not.toBe('');
  }
  const isUnread = report.problems.some(({ severity }) => severity === 'blocks');
  expect(exit).toBe(totals.invalid > 0 || isUnread ? 3 : 0);
}

/** Day files of one conversation, a day each, so that all of a corpus is read by one plan. */
function addDayFiles(folder: string, from: string, names: readonly string[]): string[] {
  return names.map((name, index) => {
    const day = new Date(Date.UTC(2024, 3, 1 + (index % 240))).toISOString().slice(0, 10);
    const path = `general${index < 240 ? '' : '-two'}/${day}.json`;
    mkdirSync(join(folder, 'export/general-two'), { recursive: true });
    copyFileSync(join(from, name), join(folder, 'export', path));
    return path;
  });
}

describe.skipIf(jsonSuite === null)('day files that are right or wrong in the ways of JSONTestSuite', () => {
  const names = namesIn(jsonSuite, '.json');

  it('cost nothing but themselves, are named, and are counted alike a second time', async () => {
    const folder = goodExport();
    const paths = addDayFiles(folder, jsonSuite!, names);
    const outcome = await importExport(await sessionRequest(folder));
    expectAccounted(outcome);
    expect(outcome.report.totals).toMatchObject({ planned: 2, imported: 2, pending: 0 });
    expect(outcome.report.files.rows).toBe(paths.length + 2);
    expect(outcome.report.verify).toMatchObject({ same: 2, missing: 0, extra: 0, different: 0 });
    const again = await planExport(await sessionRequest(folder));
    expect(again.report.totals).toEqual(outcome.report.totals);
    expect(again.report.problems).toEqual(outcome.report.problems);
  });

  it('are each invalid, with a location, if the suite lists them as invalid JSON', async () => {
    const folder = goodExport();
    const wrong = names.filter((name) => name.startsWith('n_')).slice(0, 200);
    const paths = addDayFiles(folder, jsonSuite!, wrong);
    await planExport(await sessionRequest(folder));
    const named = rejectedFiles(folder);
    const silent = paths.flatMap((path, index) => (named.has(path) ? [] : [wrong[index]]));
    expect(silent).toEqual([]);
  });
});

function rejectedFiles(folder: string): Set<unknown> {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const paths = db
    .prepare(`SELECT DISTINCT f.path FROM message m JOIN source_file f ON f.id = m.file WHERE m.verdict = 'invalid'`)
    .pluck()
    .all();
  db.close();
  return new Set(paths);
}

describe.skipIf(made === null)('files that were made to be nasty', () => {
  const names = namesIn(made, '.json');

  it.each(names)('%s as a day file costs nothing but itself', async (name) => {
    const folder = goodExport();
    copyFileSync(join(made!, name), join(folder, 'export/general/2024-06-01.json'));
    const outcome = await importExport(await sessionRequest(folder));
    expectAccounted(outcome);
    expect(outcome.report.totals.imported).toBeGreaterThanOrEqual(2);
  });

  const asLists = names.flatMap((name) =>
    ['users.json', 'channels.json', 'dms.json'].map((list) => [name, list] as const),
  );

  it.each(everyNth(4, asLists))('%s as %s is a problem, or an error that names it', async (name, list) => {
    const folder = goodExport();
    copyFileSync(join(made!, name), join(folder, 'export', list));
    await expectAccountedOrRefused(folder, join(folder, 'export'));
  });
});

/** Expects that all rows are accounted for, or that the whole export is refused with a message. */
async function expectAccountedOrRefused(folder: string, path: string): Promise<void> {
  const outcome = await planExport(await sessionRequest(folder, { from: [path] })).catch((error: unknown) => error);
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(SourceError);
    expect(outcome.message).not.toBe('');
  } else {
    expectAccounted(outcome as Outcome);
  }
}

describe.each([
  ['archives that were made to be nasty', generatedZips],
  ['odd and broken archives of the test cases of yauzl', zipCases],
])('%s', (_, corpus) => {
  it.skipIf(corpus === null).each(everyNth(3, namesIn(corpus, '.zip')))(
    '%s as an export is refused with a reason',
    async (name) => {
      await expectAccountedOrRefused(home.make(), join(corpus!, name));
    },
  );

  it.skipIf(corpus === null)('inside an export they are unknown files, each a problem', async () => {
    const folder = goodExport();
    cpSync(corpus!, join(folder, 'export/attic'), {
      recursive: true,
      filter: (path) => !/\.[a-z]+$/i.test(path) || path.endsWith('.zip'),
    });
    const outcome = await planExport(await sessionRequest(folder));
    expectAccounted(outcome);
    expect(outcome.report.totals).toMatchObject({ read: 2, planned: 2 });
    const unknown = outcome.report.problems.find(({ code }) => code === 'unknown-file');
    expect(unknown?.count).toBeGreaterThanOrEqual(namesIn(corpus, '.zip').length);
  });

  it.skipIf(corpus === null).each(namesIn(corpus, '.zip'))(
    '%s next to a good export does not affect it',
    async (name) => {
      const folder = goodExport();
      const exports = [join(folder, 'export'), join(corpus!, name)];
      const outcome = await planExport(await sessionRequest(folder, { from: exports })).catch(
        (error: unknown) => error,
      );
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SourceError);
      else expect((outcome as Outcome).report.totals).toMatchObject({ read: 2, planned: 2 });
    },
  );
});

it('believes nothing of a damaged day file of an archive, and reads the others', async () => {
  const folder = home.make();
  const rows = Array.from({ length: 3000 }, (_, index) => message(`${1709251200 + index}.000100`, ann, `row ${index}`));
  const content = JSON.stringify(rows);
  const packed = deflateRawSync(content);
  const archive = makeZip([
    { name: 'users.json', content: JSON.stringify([user(ann, 'Ann')]) },
    { name: 'channels.json', content: JSON.stringify([{ id: 'C00000001', name: 'general', members: [ann] }]) },
    { name: 'general/2024-03-01.json', content, packed: packed.fill(0xff, Math.floor(packed.length / 2)) },
    { name: 'general/2024-03-02.json', content: JSON.stringify([message('1709337600.000100', ann, 'behind')]) },
  ]);
  writeFileSync(join(folder, 'export.zip'), archive);
  const outcome = await importExport(await sessionRequest(folder, { from: [join(folder, 'export.zip')] }));
  expectAccounted(outcome);
  expect(outcome.report.totals).toMatchObject({ imported: 1, invalid: 1 });
  expect(outcome.report.invalid[0]).toMatchObject({
    code: 'unreadable-file',
    examples: [{ location: 'general/2024-03-01.json' }],
  });
});
