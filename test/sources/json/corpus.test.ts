import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonRowReader } from '../../../src/sources/json/rows.ts';
import { naughtyStrings } from '../../arbitrary-text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { sharedFolder } from '../../requirements.ts';

/**
 * The expected rows of every file of the corpora are in `corpus.golden.json`. After an intended change, run
 * `UPDATE_GOLDEN=1 vitest run test/sources/json/corpus.test.ts`, and read the difference line by line.
 */
const goldenPath = 'test/sources/json/corpus.golden.json';

const corpora = ['JSONTestSuite/test_parsing', 'JSONTestSuite/test_transform', 'blns', 'made'];
const available = corpora.flatMap((corpus) => {
  const folder = sharedFolder(`corpora/${corpus}`);
  return folder === null ? [] : [{ corpus, folder }];
});

/**
 * Returns the steps with their locations: `row /0`, `json-syntax 3`, `json-no-list` without a location in the file.
 * Consecutive equal steps are counted.
 */
async function outcome(bytes: Uint8Array, path: string): Promise<string> {
  const steps = (await Array.fromAsync(jsonRowReader(memoryInput({ [path]: bytes })).rows(path, undefined))).flat();
  const runs: { what: string; first: string; count: number }[] = [];
  for (const { location, ...step } of steps) {
    const what = step.type === 'row' ? 'row' : step.code;
    const place = location.pointer ?? (location.line === undefined ? '' : `line ${location.line}`);
    expect(location.path).toBe(path);
    const last = runs.at(-1);
    if (last?.what === what) last.count += 1;
    else runs.push({ what, first: place, count: 1 });
  }
  return runs.map(({ what, first, count }) => `${count} ${what}${first && ` from ${first}`}`).join(', ');
}

describe.skipIf(available.length < corpora.length)('each file of the JSON corpora', () => {
  const golden: Record<string, string> = existsSync(goldenPath)
    ? (JSON.parse(readFileSync(goldenPath, 'utf8')) as Record<string, string>)
    : {};
  const files = available.flatMap(({ corpus, folder }) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ key: `${corpus}/${name}`, path: join(folder, name), name })),
  );

  it('is in the golden file, and nothing else is', async () => {
    if (process.env.UPDATE_GOLDEN) {
      const outcomes: Record<string, string> = {};
      for (const { key, path, name } of files) outcomes[key] = await outcome(readFileSync(path), name);
      writeFileSync(goldenPath, `${JSON.stringify(outcomes, null, 1)}\n`);
      Object.assign(golden, outcomes);
    }
    expect(files.map(({ key }) => key)).toEqual(Object.keys(golden));
  });

  it.each(files)('$key yields rows or located rejects', async ({ key, path, name }) => {
    expect({ [key]: await outcome(readFileSync(path), name) }).toEqual({ [key]: golden[key] });
  });

  it.each(files)('$key has rows if it is valid and holds objects', async ({ path, name }) => {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
    } catch {
      return;
    }
    const holdsObjects = Array.isArray(value) && value.some((inner) => typeof inner === 'object' && inner !== null);
    if (holdsObjects) expect(await outcome(readFileSync(path), name)).toMatch(/ row| json-too-deep/);
  });
});

const strings = naughtyStrings();

describe.skipIf(strings === null)('naughty strings', () => {
  it('are values, keys and paths like any other', async () => {
    const lines = strings!.map((text) => JSON.stringify(Object.fromEntries([[text, text]]))).join('\n');
    const reader = jsonRowReader(memoryInput({ 'a.ndjson': lines }));
    const steps = (await Array.fromAsync(reader.rows('a.ndjson', undefined))).flat();
    const read = steps.map((step) => (step.type === 'row' ? step.get(step.names()[0]!) : step.code));
    expect(read).toEqual(strings);
  });
});
