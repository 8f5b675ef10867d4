import { expect, it } from 'vitest';
import { OutlineReader, readOutline } from '../../../../src/sources/kit/rows/json-outline.ts';
import { decideByOutline, type FileOutline } from '../../../../src/sources/kit/rows/whole-outline.ts';
import { watched } from '../../../contracts/altered-input.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const hasKey = ({ outline }: FileOutline) => (outline.get('')?.has('wanted') ? 'found' : undefined);

it('decideByOutline() opens a file only if its beginning does not decide', async () => {
  const files = {
    'small.json': { other: 1 },
    'early.json': { wanted: 1, rest: 'x'.repeat(10_000) },
    'long.json': { rest: 'x'.repeat(10_000), wanted: 1 },
    'late.json': { rest: 'x'.repeat(2_000_000), wanted: 1 },
    'never.json': { rest: 'x'.repeat(2_000_000) },
    'text.json': 'x'.repeat(10_000),
  };
  const { input, watch } = watched(memoryInput(files));
  const found = await Promise.all(Object.keys(files).map((path) => decideByOutline(input, path, 1000, hasKey)));
  expect(found).toEqual([undefined, 'found', 'found', 'found', undefined, undefined]);
  expect(watch.opened).toEqual(['late.json', 'never.json']);
  expect(watch.openCount).toBe(0);
});

it('decideByOutline() stops once it has decided', async () => {
  let chunks = 0;
  const input = memoryInput({ 'a.json': `{"a":"${'x'.repeat(3000)}","wanted":1,"b":"${'x'.repeat(100_000)}"}` });
  const open = async function* (path: string) {
    for await (const chunk of input.open(path)) {
      chunks += 1;
      yield chunk;
    }
  };
  expect(await decideByOutline({ ...input, open }, 'a.json', 1000, hasKey)).toBe('found');
  expect(chunks).toBeLessThan(10);
});

it('decideByOutline() says when there is no more, and which keys hold lists that are empty', async () => {
  const looks: boolean[] = [];
  const input = memoryInput({ 'a.json': { a: 'x'.repeat(5000), list: [], b: 'x'.repeat(2_000_000) } });
  const found = await decideByOutline(input, 'a.json', 1000, ({ isWhole, holdsList }) => {
    looks.push(isWhole);
    return holdsList('list') ? 'list' : undefined;
  });
  expect(found).toBe('list');
  expect(await decideByOutline(input, 'a.json', 1000, ({ isWhole }) => (isWhole ? 'end' : undefined))).toBe('end');
  expect(looks).not.toContain(true);
});

it('OutlineReader has the same of a text in pieces of any length', () => {
  const long = `a "quoted" \\ ${'y'.repeat(5000)}\\\\"`;
  const value = {
    type: 'chat',
    text: long,
    messages: [{ id: 12, from: { name: 'Ann 🌊' } }, { ok: true }],
    last: ['a', 1],
  };
  const text = JSON.stringify(value, null, 1).replaceAll('":', '" :');
  const whole = readOutline(text);
  for (const length of [1, 2, 3, 7, 64, 1000, 4000]) {
    const reader = new OutlineReader();
    for (let at = 0; at < text.length; at += length) reader.push(text.slice(at, at + length));
    reader.end();
    expect(reader.outline, String(length)).toEqual(whole);
  }
});
