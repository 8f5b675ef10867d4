import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/mapping/checks.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { run } from '../cli/in-process.ts';
import { mutations } from '../mapping/checks/mutations.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { casesOf, editedFiles, mappingOf, sampleNamed, writeFiles } from './kinds/edited-samples.ts';
import type { AskedDecisions } from './kinds/kind.ts';

const home = temporaryFolderInMemory();
const clock = new VirtualClock(Date.parse('2026-11-26T12:00:00Z'));

/** Decisions that a plan asks for, on the terminal and in the report: by code, how much each is about. */
async function plan(source: string, one: AskedDecisions) {
  const folder = home.make();
  const mapping = writeMapping(source, one, folder);
  const options = mapping === undefined ? [] : ['--mapping', resolve(mapping)];
  const exports = await writeExports(source, one, join(folder, 'export'));
  const { code, stdout, stderr } = await run(['plan', ...exports, '--source', source, '--quiet', ...options], {
    ...{ folder, clock },
  });
  const output = stdout + stderr;
  // 2: alarms of so few rows ask for a confirmation too.
  expect([0, 2, 3], output).toContain(code);
  const [, terminal = ''] = stdout.split('\nNeeds your decision\n');
  const report = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8')) as ReportData;
  for (const { id, about } of report.decisions) expect([id, about.count]).not.toEqual([id, 0]);
  const asked = report.decisions.filter(({ question }) => terminal.includes(`  ${question}`));
  const notes = report.problems.filter(({ severity }) => severity === 'information').map(({ code }) => [code, 'note']);
  return { asked: Object.fromEntries([...notes, ...asked.map(({ id, about }) => [id, about.count])]), output };
}

async function writeExports(source: string, { sample, edits = [], files }: AskedDecisions, folder: string) {
  if (sample === undefined) return [writeFiles(files!, folder)];
  const found = sampleNamed(source, sample);
  if (edits.length > 0) return [writeFiles(await editedFiles(found, edits), folder)];
  return globSync(join(found.folder, 'export*'))
    .sort()
    .map((path) => resolve(path));
}

function writeMapping(source: string, { sample, mapping }: AskedDecisions, folder: string): string | undefined {
  if (mapping === undefined) return sample === undefined ? undefined : mappingOf(sampleNamed(source, sample));
  const path = join(folder, 'mapping.yaml');
  writeFileSync(path, mapping);
  return path;
}

const cases = casesOf('decisions').map(([source, one]) => [source, Object.keys(one.asks).join(', '), one] as const);
const sameNames = casesOf('sameNames').flatMap(([source, { asks, ...one }]) =>
  asks === undefined ? [] : [[source, asks, one] as const],
);

/** Decisions that no export brings up alone, and the test that does. */
const elsewhere: Readonly<Record<string, string>> = {
  'attachment-dead': 'plan/check-media: it asks servers',
  'attachment-login-page': 'plan/check-media: it asks servers',
  'only-matches-nothing': 'plan/only.test.ts: it takes --only',
  'too-old-by-its-turn': 'cli/time-verdicts.test.ts: it takes a forecast',
};

describe('a decision', () => {
  it.each(cases)('is asked, with the messages that it affects (%s: %s)', async (source, _, one) => {
    const { asked, output } = await plan(source, one);
    expect(asked, output).toMatchObject(one.asks);
  });

  it.each(sameNames)(
    'about files of one name is asked, with the messages that it affects (%s: %s)',
    async (source, code, one) => {
      const { asked, output } = await plan(source, { ...one, asks: {} });
      expect(asked[code], output).toBeGreaterThan(0);
    },
  );

  it('that is declared is asked by some export', () => {
    const seeded = new Set([
      ...cases.flatMap(([, , { asks }]) => Object.keys(asks)),
      ...sameNames.map(([, code]) => code),
      ...mutations.map(({ code }) => code),
      ...Object.keys(elsewhere),
    ]);
    const declared = catalogue().filter(({ severity }) => severity === 'decision');
    expect(declared.map(({ code }) => code).filter((code) => !seeded.has(code))).toEqual([]);
  });
});
