import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactBytes,
  parseBytes,
  parseCount,
  parseDuration,
  parseRate,
  parseRetention,
  parseShare,
} from '../../../src/lib/text/units.ts';
import { anyText } from '../../arbitrary-text.ts';

const parsers = {
  parseRate,
  parseBytes,
  parseDuration,
  parseShare,
  parseCount: (text: string) => parseCount(text, 1, 64),
};

describe('every parser of a unit', () => {
  const unit = fc.constantFrom(
    '',
    's',
    'ms',
    'm',
    'h',
    '%',
    '/min',
    'KiB',
    ' MiB',
    'B',
    '.5',
    '-',
    'e9',
    '0'.repeat(400),
  );
  const likely = fc.tuple(fc.oneof(fc.bigInt().map(String), fc.nat().map(String), fc.double().map(String)), unit);
  const input = fc.oneof(
    anyText,
    likely.map(([number, suffix]) => number + suffix),
  );

  it.each(Object.entries(parsers))('is total: %s returns a finite number, or names the expected form', (_, parse) => {
    fc.assert(
      fc.property(input, (text) => {
        try {
          const value = parse(text);
          return Number.isFinite(value) && value >= 0;
        } catch (error) {
          return error instanceof RangeError && error.message.startsWith('expected ') && error.message.includes(text);
        }
      }),
    );
  });
});

describe('parseRate()', () => {
  it.each([
    ['60', 60],
    ['60/min', 60],
    [' 1 ', 1],
  ])('reads %j as %d a minute', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  it.each(['0', '-1', '1.5', '60/s', '60 per minute', ''])('refuses %j', (text) => {
    expect(() => parseRate(text)).toThrow('expected requests per minute, such as 60 or 60/min');
  });
});

describe('parseBytes()', () => {
  it.each([
    ['1', 1],
    ['64KB', 64_000],
    ['512KiB', 524_288],
    ['512 kib', 524_288],
    ['1MB', 1_000_000],
    ['1MiB', 1_048_576],
    ['1GB', 1_000_000_000],
    ['64GiB', 68_719_476_736],
  ])('reads %j as %d', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each(['0', '1TB', '1.5MB', 'KiB', '9007199254740991MiB'])('refuses %j', (text) => {
    expect(() => parseBytes(text)).toThrow('expected a size, such as 512KiB');
  });
});

describe('parseDuration()', () => {
  it.each([
    ['0', 0],
    ['90', 90_000],
    ['90s', 90_000],
    ['2m', 120_000],
    ['500ms', 500],
    ['24h', 86_400_000],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['1d', '-1s', '1.5s', 's', ''])('refuses %j', (text) => {
    expect(() => parseDuration(text)).toThrow('expected a time such as 90s, 2m or 500ms');
  });

  it.each(['25h', '1000h', '9'.repeat(400)])('refuses %j: a timer could not wait that long', (text) => {
    expect(() => parseDuration(text)).toThrow('expected a time of 24h at most');
  });
});

describe('parseRetention()', () => {
  it('reads days, and "unlimited"', () => {
    expect([parseRetention('730'), parseRetention(' unlimited ')]).toEqual([730, 'unlimited']);
  });

  it.each(['0', '-1', '2y', 'for ever', ''])('refuses %j', (text) => {
    expect(() => parseRetention(text)).toThrow(`expected a number of days, or unlimited, found "${text}"`);
  });
});

describe('parseShare()', () => {
  it.each([
    ['20%', 0.2],
    ['0.2', 0.2],
    ['100%', 1],
    ['1', 1],
    ['0', 0],
    ['12.5%', 0.125],
  ])('reads %j as %d', (text, share) => {
    expect(parseShare(text)).toBe(share);
  });

  it.each(['20', '101%', '-1%', '.5', '20 %', ''])('refuses %j', (text) => {
    expect(() => parseShare(text)).toThrow('expected a share from 0% to 100%');
  });
});

describe('parseCount()', () => {
  it('takes whole numbers within the bounds', () => {
    expect([parseCount('1', 1, 64), parseCount('64', 1, 64), parseCount(' 8 ', 1, 64)]).toEqual([1, 64, 8]);
  });

  it.each(['0', '65', '1.5', 'many', ''])('refuses %j', (text) => {
    expect(() => parseCount(text, 1, 64)).toThrow(`expected a whole number from 1 to 64, found "${text}"`);
  });
});

describe('exactBytes()', () => {
  it.each([
    [1_048_576, '1MiB'],
    [10_485_760, '10MiB'],
    [1_500_000, '1500KB'],
    [1_001, '1001'],
    [2 ** 30, '1GiB'],
  ])('writes %d as %s', (bytes, text) => expect(exactBytes(bytes)).toBe(text));

  it('writes what parseBytes() reads as the same number', () => {
    fc.assert(fc.property(fc.integer({ min: 1 }), (bytes) => parseBytes(exactBytes(bytes)) === bytes));
  });
});
