import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineKinds, lineSchema } from '../../../src/sources/chatferry/format.ts';
import { chatferry } from '../../../src/sources/chatferry/index.ts';
import { writeLine } from '../../../src/sources/chatferry-lines.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { anyEntry } from './arbitrary-entries.ts';

const page = readFileSync('docs/reference/sources/chatferry.md', 'utf8');
const schema = JSON.parse(readFileSync('docs/reference/schemas/chatferry-line.schema.json', 'utf8')) as object;

describe('docs/reference/sources/chatferry.md', () => {
  it('has an example that is read without a word', async () => {
    const example = /```ndjson\n(.*?)```/s.exec(page)![1]!;
    const entries = await readAll(chatferry, memoryInput({ 'tea.ndjson': example }));
    expect(entries.map(({ type }) => type)).toEqual([...Array(5).fill('record'), 'file']);
  });

  it('names every kind and every field', () => {
    const fields = lineSchema.options.flatMap(({ shape }) => Object.keys(shape));
    const missing = [...lineKinds, ...fields].filter(
      (name) => !page.includes(`\`${name}\``) && !page.includes(`"${name}"`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the published schema', () => {
  const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
  const root = 'samples/chatferry';
  const lines = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /export.*\.(ndjson|jsonl)$/.test(path))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').split(/\r?\n/))
    .flatMap((line) => parsed(line) ?? []);

  it.each(lines)('agrees with the program about %j', (line) => {
    expect(isValid(line)).toBe(lineSchema.safeParse(line).success);
  });

  it('accepts every written line, and none with an additional field', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const line = JSON.parse(writeLine(entry).text) as object;
        expect(isValid(line)).toBe(true);
        expect(isValid({ ...line, surprise: 1 })).toBe(false);
      }),
    );
  });
});

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
