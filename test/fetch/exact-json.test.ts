import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../src/fetch/answers/exact-json.ts';

describe('parseExactly()', () => {
  const numbers = ['-0', '0.10', '1.0', '1e2', '1E+2', '-2e-7', '12345678901234567890', '-1234567890123456789', '7'];

  it.each(numbers)('keeps %s as it is written, wherever it is', (number) => {
    for (const body of [number, `[${number}]`, `[1,${number}]`, `{"a":${number}}`, `{"a":"b","c":{"d":[${number}]}}`])
      expect(JSON.stringify(parseExactly(body))).toBe(body);
  });

  it.each(numbers)('keeps %s behind white space', (number) => {
    for (const body of [`\n ${number} `, `[ ${number} ]`, `[1 ,\t${number}]`, `{"a" :\r\n ${number}}`])
      expect(JSON.stringify(parseExactly(body))).toBe(body.replace(/\s/g, ''));
  });

  it('keeps a number behind texts that look like numbers', () => {
    const body = '{"at":"2026-01-02T10:00:00.123Z","id":"12345678901234567890","size":1.50}';
    expect(JSON.stringify(parseExactly(body))).toBe(body);
  });
});
