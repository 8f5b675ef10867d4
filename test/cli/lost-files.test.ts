import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { sources } from '../../src/sources/registry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { type Sample, samplesOf } from '../contracts/samples.ts';
import { readSample } from '../contracts/source/check.ts';
import {
  type FileDamage,
  hasOtherForm,
  isWellWithout,
  lostFiles,
  otherForms,
} from '../contracts/source/file-damages.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { everyNth, firstOf } from '../tier.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

/** A copy of a sample's export, to be damaged, and how it is planned. */
function copied(sample: Sample) {
  const folder = home.make();
  const names = readdirSync(sample.folder).filter((name) => name.startsWith('export'));
  for (const name of names) cpSync(join(sample.folder, name), join(folder, name), { recursive: true });
  const isFolder = statSync(join(folder, names[0]!)).isDirectory();
  const mapping = join(sample.folder, 'mapping.yaml');
  const options = existsSync(mapping) ? ['--mapping', join(process.cwd(), mapping)] : [];
  return {
    folder,
    request: ['plan', ...names, ...options, '--quiet'],
    damage(path: string, { make }: FileDamage): void {
      const file = isFolder ? join(folder, names[0]!, path) : join(folder, path);
      writeFileSync(file, make(readFileSync(file)));
    },
  };
}

/** The file with the most messages of the sample with the most files: what is left is still an export. */
async function chosen(adapter: SourceAdapter): Promise<{ sample: Sample; path: string }> {
  const counts = await Promise.all(
    samplesOf(adapter.name)
      .filter(({ name, folder }) => !name.startsWith('damaged') && !existsSync(join(folder, 'export.zip')))
      .map(async (sample) => {
        const entries = await readSample({ adapter, sample });
        const paths = entries.flatMap((entry) =>
          entry.type === 'record' && entry.record.kind === 'message' ? [entry.location.path] : [],
        );
        return { sample, files: [...Map.groupBy(paths, (path) => path)] };
      }),
  );
  const [{ sample, files }] = counts.sort((a, b) => b.files.length - a.files.length) as [(typeof counts)[number]];
  const [[path]] = files.sort(([, a], [, b]) => b.length - a.length) as [[string, string[]]];
  return { sample, path };
}

describe('a plan', () => {
  // The contract of sources proves that each one notices.
  it.each(everyNth(2, sources))(
    'of $name counts a file of messages that is none as invalid, names it and says why',
    async (adapter) => {
      const { sample, path } = await chosen(adapter);
      for (const damage of firstOf(
        1,
        lostFiles.filter((lost) => !isWellWithout(adapter.name, path, lost)),
      )) {
        const { folder, request, damage: put } = copied(sample);
        put(path, damage);
        const { code, stdout, stderr } = await run(request, { folder });
        expect([exitCodes.someFailed, exitCodes.source], `${path}: ${damage.name}\n${stdout}${stderr}`).toContain(code);
        expect(stdout + stderr).toContain(basename(path));
      }
    },
  );

  // Every source reads such files: test/contracts/source/reading-checks.ts.
  it.each(everyNth(4, sources))(
    'of $name reads a file in UTF-16, and one that is packed, as it was',
    async (adapter) => {
      const { sample, path } = await chosen(adapter);
      const whole = copied(sample);
      const before = await runJson(whole.request, { folder: whole.folder });
      for (const form of firstOf(2, otherForms)) {
        const { folder, request, damage: put } = copied(sample);
        put(path, { name: form.name, make: (bytes) => (hasOtherForm(bytes, form) ? form.make(bytes) : bytes) });
        const { json, code } = await runJson(request, { folder });
        expect({ ...pick(json), code }, `${path}: ${form.name}`).toEqual({ ...pick(before.json), code: before.code });
      }
    },
  );
});

const pick = (json: unknown) => {
  const { read, planned, invalid } = json as Record<string, unknown>;
  return { read, planned, invalid };
};
