import { describe, expect, it } from 'vitest';
import { beginsJson, compacted, compactJson } from '../../src/io/json/compact-json.ts';
import { collect } from '../contracts/export-input.ts';
import { memoryInput } from '../contracts/memory-input.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

async function* inPieces(whole: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(whole);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const rows = [{ 'a "key"': 'two  blanks\\', list: [1, null, { deep: [] }] }, { text: 'Größe 🌊\n' }];
const printed = JSON.stringify(rows, null, 40).replaceAll(':', `${' '.repeat(500)}:`);

describe('compactJson()', () => {
  it('leaves no blanks between tokens, and of line feeds one', async () => {
    expect(text(compacted(Buffer.from(' \r\n{ "a" : [ 1 ,\t"b  c" ] }\r\n \n{}\n')))).toBe('{"a":[1,"b  c"]}\n{}\n');
  });

  it('yields the same value, in pieces of any size', async () => {
    const whole = text(compacted(Buffer.from(printed)));
    expect(JSON.parse(whole)).toEqual(rows);
    expect(whole.length).toBeLessThan(printed.length / 4);
    for (const size of [1, 2, 7, 1000])
      expect((await collect(compactJson(inPieces(printed, size)))).toString()).toBe(whole);
  });

  it('reads a line behind a string that goes on over its end', () => {
    expect(text(compacted(Buffer.from('{"a": "torn\n{"b" : 2}\n')))).toBe('{"a":"torn\n{"b":2}\n');
  });

  it('passes on what is no JSON', async () => {
    for (const other of [
      '[24.12.23, 18:30:05] Ann:  Hi\n',
      '[[ann]]  Hi\n',
      '{ann}  Hi',
      '  Hi  ',
      '<a>  </a>',
      '   ',
    ]) {
      expect(text(compacted(Buffer.from(other)))).toBe(other);
      for (const size of [1, 1000]) expect((await collect(compactJson(inPieces(other, size)))).toString()).toBe(other);
    }
  });

  it('knows JSON by its first tokens, as far as they are there', () => {
    for (const json of ['{"a"', ' [ {', '\ufeff[[ {', '[]', '{ }', '["a"', '[null, {', '\x1e{"a"'])
      expect(beginsJson(Buffer.from(json)), json).toBe(true);
    for (const open of ['', '  ', '[ ', '{', '[[']) expect(beginsJson(Buffer.from(open)), open).toBeUndefined();
  });
});

describe('the beginning of a JSON file', () => {
  it('says the same however its lines are indented', async () => {
    const list = Array.from({ length: 500 }, (_, id) => ({ id, text: `Row ${id}` }));
    const wide = ' '.repeat(200_000) + JSON.stringify(list, null, 80).replaceAll('\n', '\n'.repeat(3));
    const input = memoryInput({ 'wide.json': wide });
    for (const byteCount of [1, 100, 10_000]) {
      const head = text(await input.head('wide.json', byteCount));
      expect(head).toHaveLength(byteCount);
      expect(JSON.stringify(list).startsWith(head.replaceAll('\n', ''))).toBe(true);
    }
  });
});
