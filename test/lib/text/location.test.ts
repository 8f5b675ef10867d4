import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../src/lib/text/location.ts';

describe('formatLocation()', () => {
  it.each([
    [{ path: 'a.csv' }, 'a.csv'],
    [{ path: 'a.csv', line: 12 }, 'a.csv:12'],
    [{ path: 'a.json', pointer: '/41' }, 'a.json#/41'],
    [{ path: 'pages.ndjson', line: 12, pointer: '/data/3' }, 'pages.ndjson:12#/data/3'],
  ])('prints %j', (location, printed) => {
    expect(formatLocation(location)).toBe(printed);
  });
});
