import { describe, expect, it } from 'vitest';
import { planExport } from '../../src/commands/prepare.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { exitCodes, errorExitCode } from '../../src/model/exit-codes.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { everyNth } from '../tier.ts';
import { decisionsAbout, filesOf, mappingOf, sourceNamed, writeFiles } from './kinds/edited-samples.ts';
import type { Files } from './kinds/kind.ts';
import { onePerSource, type Sample } from './samples.ts';
import { messageFilesOf, readSample } from './source/check.ts';
import { somethingElseFor } from './source/file-damages.ts';
import { readingChecks } from './source/reading-checks.ts';

const folders = temporaryFolderInMemory();
const check = readingChecks.find(
  ({ says }) => says === 'never takes a file of messages that holds something else for an empty one',
)!;

const tried = (adapter: SourceAdapter, sample: Sample) =>
  check.run({
    adapter,
    sample,
    whole: () => readSample({ adapter: sourceNamed(sample.source), sample }),
    expected: () => '',
  });

/** A source that takes whatever it cannot read for empty. */
const content = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request))
      yield entries.flatMap((entry): Entry[] => {
        if (entry.type === 'file') return [{ type: 'file', path: entry.path, role: 'rows' }];
        return entry.type === 'record' && entry.record.kind === 'message' ? [entry] : [];
      });
  },
});

/** How a plan ends of a sample in which every file of messages holds something else. */
async function exitWithout(sample: Sample): Promise<number> {
  const whole = await readSample({ adapter: sourceNamed(sample.source), sample });
  const files: Record<string, Files[string]> = { ...(await filesOf(sample)) };
  for (const path of messageFilesOf(whole)) files[path] = somethingElseFor(path);
  const store = `${folders.make()}/chatferry.db`;
  const from = writeFiles(files, folders.make());
  const mapping = await loadMapping(mappingOf(sample));
  const { source } = sample;
  return planExport({ from, source, mapping, store }).then(({ exit }) => exit, errorExitCode);
}

const without = new Map(decisionsAbout('nothingRead'));
const samples = onePerSource().filter(({ source }) => without.get(source) === undefined);

describe('an export from which nothing can be read', () => {
  it.each(everyNth(3, samples))('never ends as an empty one ($source)', async (sample) => {
    expect([exitCodes.someFailed, exitCodes.source, exitCodes.usage]).toContain(await exitWithout(sample));
  });

  it.each(everyNth(3, samples))('is reported if a source treats it as empty ($source)', async (sample) => {
    await expect(tried(content(sourceNamed(sample.source)), sample)).rejects.toThrow('something else');
  });
});
