import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultCaps } from '../../src/io/input/caps.ts';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { openZip } from '../../src/io/zip/zip-input.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { collect } from '../contracts/export-input.ts';
import { sharedFolder } from '../requirements.ts';
import golden from './zip-corpus.golden.json' with { type: 'json' };

const generated = sharedFolder('corpora/zip-generated');
const cases = sharedFolder('corpora/yauzl-zip-cases/test');

function archivesIn(folder: string | null): readonly string[] {
  return folder === null
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.zip'))
        .sort();
}

/**
 * Returns Chatferry's result for an archive: its error, or its problems, the files that cannot be read, and the number
 * of files that can.
 */
async function outcomeOf(path: string): Promise<string | readonly string[]> {
  try {
    const input = openZip(path, defaultCaps);
    const outcomes = input.problems.map(({ code, location }) => `${location.path}: problem ${code}`);
    const names = await input.paths();
    const faults = await Promise.all(names.map((name) => faultOf(name, input)));
    await input.close();
    const found = faults.filter((fault) => fault !== undefined);
    return [...outcomes, ...found, `${names.length - found.length} read`];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.message.replace(/^Cannot read ".*?": /, '');
  }
}

async function faultOf(name: string, input: ExportInput): Promise<string | undefined> {
  try {
    const bytes = await input.read(name, 1e8);
    expect((await collect(input.open(name))).equals(bytes)).toBe(true);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    expect(error.location).toEqual({ path: name });
    return `${name}: ${error.message.replace(/^Cannot read from ".*?": | \([^()]*\)$/g, '')}`;
  }
}

describe.skipIf(generated === null)('each archive that was made to be nasty', () => {
  it.each(archivesIn(generated))('%s is listed, or refused with a reason', async (name) => {
    expect({ [name]: await outcomeOf(join(generated!, name)) }).toEqual({
      [name]: golden[name as keyof typeof golden],
    });
  });
});

describe.skipIf(cases === null)('each odd or broken archive of the test cases of yauzl', () => {
  it.each(archivesIn(cases))('%s is listed, or refused with a reason', async (name) => {
    expect({ [name]: await outcomeOf(join(cases!, name)) }).toEqual({ [name]: golden[name as keyof typeof golden] });
  });

  /** Next to each archive that can be read is a folder with its content. */
  it.each(archivesIn(cases).filter((name) => name.startsWith('success/')))(
    '%s contains the files in the folder next to it',
    async (name) => {
      const folder = join(cases!, name.replace(/\.zip$/, ''));
      const input = openZip(join(cases!, name), defaultCaps);
      for (const path of await input.paths()) {
        const wanted = readIfExists(join(folder, path));
        if (wanted !== undefined) expect((await collect(input.open(path))).equals(wanted)).toBe(true);
      }
      await input.close();
    },
  );
});

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
