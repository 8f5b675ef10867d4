import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JsonElement, parseJsonArrayFile, readJsonArray } from '../../src/io/json/json-array.ts';
import { sharedFolder } from '../requirements.ts';
import golden from './json-suite.golden.json' with { type: 'json' };

const suite = sharedFolder('corpora/JSONTestSuite/test_parsing');
const made = sharedFolder('corpora/made');

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 1 << 16): Promise<readonly JsonElement[]> {
  const elements: JsonElement[] = [];
  for await (const element of readJsonArray(inChunks(bytes, size))) elements.push(element);
  return elements;
}

/** Returns the outcome of each element: `value`, or the code and scope of its error. */
const outcomes = (elements: readonly JsonElement[]): string =>
  elements.map(({ error }) => (error ? `${error.code} (${error.scope})` : 'value')).join(', ');

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

describe.skipIf(suite === null)('each file of the JSON parsing test suite', () => {
  const names = suite === null ? [] : readdirSync(suite).sort();
  const load = (name: string) => readFileSync(join(suite!, name));

  it('is there', () => {
    expect(names.length).toBe(318);
  });

  it.each(names.filter((name) => name.startsWith('y_')))(
    '%s is read, or named as something other than an array',
    async (name) => {
      const value = parsed(load(name));
      const elements = await read(load(name));
      if (Array.isArray(value)) expect(elements.map((element) => element.value)).toEqual(value);
      else expect(outcomes(elements)).toBe('not-an-array (rest)');
    },
  );

  it.each(names.filter((name) => name.startsWith('n_')))('%s has an error', async (name) => {
    const elements = await read(load(name));
    expect(elements.some(({ error }) => error)).toBe(true);
    expect(parseJsonArrayFile(load(name))).toEqual({ ok: false, elements });
  });

  it.each(names.filter((name) => name.startsWith('i_')))(
    '%s, which parsers may see as they like, is what we decided',
    async (name) => {
      expect({ [name]: outcomes(await read(load(name))) }).toEqual({ [name]: golden[name as keyof typeof golden] });
    },
  );

  it.each(names)('%s is the same in chunks of any size, and as a whole', async (name) => {
    const bytes = load(name);
    const elements = await read(bytes);
    const sizes = bytes.length < 1000 ? [1, 2, 3, 7] : [4096];
    for (const size of sizes) expect(await read(bytes, size)).toEqual(elements);
    const whole = parseJsonArrayFile(bytes);
    expect(whole.ok ? whole.value : whole.elements).toEqual(whole.ok ? elements.map(({ value }) => value) : elements);
  });
});

describe.skipIf(made === null)('each JSON file that was made to be nasty', () => {
  const names = made === null ? [] : readdirSync(made).filter((name) => name.endsWith('.json'));

  it.each(names)('%s gives values and located errors', async (name) => {
    const bytes = readFileSync(join(made!, name));
    for (const size of [1000, 1 << 16]) {
      for (const { index, error } of await read(bytes, size)) {
        expect(index).toBeGreaterThanOrEqual(0);
        if (error) expect(error.reason).toMatch(/^\w/);
      }
    }
  });

  it.each<readonly [name: string, outcome: string]>([
    ['deep-100k.json', 'too-deep (element)'],
    ['deep-object-20k.json', 'not-an-array (rest)'],
    ['truncated.json', 'value, cut-off (rest)'],
    ['dup-keys.json', 'not-an-array (rest)'],
    ['bom-utf8.json', 'not-an-array (rest)'],
    ['snowflakes.json', 'value, value, value, value, value'],
  ])('%s becomes: %s', async (name, outcome) => {
    expect(outcomes(await read(readFileSync(join(made!, name))))).toBe(outcome);
  });

  it('snowflakes.json keeps every digit', async () => {
    const values = (await read(readFileSync(join(made!, 'snowflakes.json')))).map(({ value }) => value);
    expect(values.slice(1, 3)).toEqual([{ id: '9007199254740993' }, { id: '18446744073709551615' }]);
  });
});
