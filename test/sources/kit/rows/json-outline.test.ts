import { describe, expect, it } from 'vitest';
import { OutlineReader, readOutline } from '../../../../src/sources/kit/rows/json-outline.ts';

const plain = (text: string) =>
  Object.fromEntries([...readOutline(text)].map(([path, keys]) => [path, Object.fromEntries(keys)]));

describe('readOutline()', () => {
  it('has the keys of each object by location, with their plain values', () => {
    expect(
      plain('{"type": "chat", "id": 12, "messages": [{"id": 1, "from": {"name": "Ann"}}, {"id": 2, "ok": true}]}'),
    ).toEqual({
      '': { type: ['chat'], id: ['12'], messages: [] },
      '/messages/*': { id: ['1', '2'], from: [], ok: ['true'] },
      '/messages/*/from': { name: ['Ann'] },
    });
  });

  it('has the elements of a list that is the whole text, lines and single objects at the same place', () => {
    const expected = { '': { a: ['1', '2'] } };
    expect(plain('[{"a": 1}, {"a": 2}]')).toEqual(expected);
    expect(plain('{"a": 1}\n{"a": 2}\n')).toEqual(expected);
    expect(plain('{"a": 1}{"a": 2}')).toEqual(expected);
  });

  it('takes what exporters forget: commas, quotes, the end', () => {
    expect(plain('{"id": 9 "list": [{"file": a/b.webm, "text": "\\x0B"}, {"text": "unfin')).toEqual({
      '': { id: ['9'], list: [] },
      '/list/*': { file: ['a/b.webm'], text: ['\\x0B'] },
    });
  });

  it('is the same however many blanks are around tokens, in pieces of any size', () => {
    const text = '{"id":9,"list":[{"text":"a"},{"text":"b"}],"none":[]}';
    const wide = text.replaceAll(/[[\]{},:]/g, (token) => `${' '.repeat(3000)}${token}\n\t`);
    for (const size of [100, 5000, wide.length]) {
      const reader = new OutlineReader();
      for (let at = 0; at < wide.length; at += size) reader.push(wide.slice(at, at + size));
      reader.end();
      expect(reader.outline).toEqual(readOutline(text));
      expect([...reader.lists]).toEqual(['list', 'none']);
    }
  });

  it('does not mistake the contents of texts for keys', () => {
    expect(plain('{"text": "{\\"type\\": \\"chat\\"}", "n": "\\\\"}')).toEqual({
      '': { text: ['{\\"type\\": \\"chat\\"}'], n: ['\\\\'] },
    });
  });

  it('passes over what is as deep as nothing, and goes on behind it', () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
    const outline = readOutline(`{"deep": ${deep}, "list": [{"id": 7}]}`);
    expect([...outline.get('')!.keys()]).toEqual(['deep', 'list']);
    expect(outline.get('/list/*')?.get('id')).toEqual(['7']);
  });

  it('is empty for invalid JSON', () => {
    expect(plain('id,name\n1,{"a": 1}')).toEqual({});
    expect(plain('')).toEqual({});
  });

  it('stays small and quick whatever it is given', () => {
    expect(readOutline('['.repeat(65_536)).size).toBe(0);
    expect(readOutline(`{"${'\\"'.repeat(32_000)}`).size).toBe(1);
    expect(
      readOutline(`{${Array.from({ length: 9000 }, (_, index) => `"${index}": {"a": 1},`).join('')}`).size,
    ).toBeLessThanOrEqual(1000);
    expect(readOutline(']}'.repeat(30_000)).size).toBe(0);
    expect([...readOutline(`{"a": "${'x'.repeat(60_000)}"}`).get('')!]).toEqual([['a', []]]);
  });
});
