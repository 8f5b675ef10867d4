import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  commentText,
  dotted,
  keyPath,
  merged,
  parseSettings,
  parseValue,
  withoutValue,
  withValue,
  yamlLine,
} from '../../src/lib/settings.ts';
import { anyText } from '../arbitrary-text.ts';

describe('parseSettings()', () => {
  it('puts values where their keys say, a later one over an earlier one', () => {
    const texts = ['source.messages.time.format=dd/MM/yyyy', 'people.uids."ann.lee"=ann', 'people.uids."ann.lee"=lee'];
    expect(parseSettings(texts)).toEqual({
      source: { messages: { time: { format: 'dd/MM/yyyy' } } },
      people: { uids: { 'ann.lee': 'lee' } },
    });
  });

  it.each(['', 'people.uid', '=x', 'people..uid=x', '.=x'])('rejects %j, and prints the expected form', (text) => {
    expect(() => parseSettings([text])).toThrow(`Cannot use --set "${text}": expected KEY=VALUE`);
  });

  it('reaches no prototype', () => {
    const settings = parseSettings(['__proto__.polluted=yes', 'constructor.prototype.polluted=yes']);
    expect(Object.keys(settings)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('parseValue()', () => {
  it.each([
    ['true', true],
    ['3', 3],
    ['[a, "b c"]', ['a', 'b c']],
    ['{ between: [a, b] }', { between: ['a', 'b'] }],
    ['"12"', '12'],
    ['007', '007'],
    ['1234567890123456789', '1234567890123456789'],
    ['{handle}', '{handle}'],
    ['{first} {last}', '{first} {last}'],
    ['HH:mm: ss', 'HH:mm: ss'],
    ['dd.MM.yyyy HH:mm:ss', 'dd.MM.yyyy HH:mm:ss'],
    ['', ''],
    ['null', 'null'],
    ['@x', '@x'],
  ])('takes %j for %j', (text, value) => {
    expect(parseValue(text)).toEqual(value);
  });
});

describe('keys and values', () => {
  it('a path survives being written as one key', () => {
    const part = anyText.filter((text) => text !== '' && !text.includes('"') && text === text.trim());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (path) => void expect(keyPath(dotted(path))).toEqual(path)),
    );
  });

  it('a short value becomes the "from" of a table when another key is added', () => {
    expect(withValue({ time: 'day' }, ['time', 'format'], 'iso')).toEqual({ time: { from: 'day', format: 'iso' } });
    expect(merged({ time: { from: 'day', format: 'iso' } }, { time: 'day' })).toEqual({
      time: { from: 'day', format: 'iso' },
    });
    expect(merged({ time: { from: 'day', format: 'iso' } }, { time: 'sent' })).toEqual({ time: 'sent' });
    expect(merged({ reply: 'parent' }, { reply: { constant: '' } })).toEqual({ reply: { constant: '' } });
  });

  it('a table without its last key is gone too', () => {
    expect(withoutValue({ a: { b: { c: 1 } }, d: 2 }, ['a', 'b', 'c'])).toEqual({ d: 2 });
  });
});

describe('yamlLine()', () => {
  it('any value fits on one line and is read back unchanged', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(anyText, fc.boolean(), fc.integer(), tie('list'), tie('table')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      table: fc.dictionary(anyText, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    })).value;
    fc.assert(
      fc.property(value, (any) => {
        const line = yamlLine(any);
        expect(line).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
        expect(parse(line)).toEqual(any);
      }),
    );
  });
});

describe('commentText()', () => {
  it('is one line of at most 120 columns without anything that moves a cursor or turns text around', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(commentText(text.repeat(9))).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
        expect(commentText(text.repeat(9)).length).toBeLessThan(1000);
      }),
    );
  });
});
