import { describe, expect, it } from 'vitest';
import { dateLanguages } from '../../../src/sources/kit/time/date-words.ts';
import { DateEvidence } from '../../../src/sources/whatsapp/date-order.ts';
import { localTime, readHead } from '../../../src/sources/whatsapp/format.ts';

const regions = 'AE AF AT BR CA CH CN CO EG ET FR GB HK IN IQ IR KE MA MX PK PT RS SA SG TH TW US UZ'.split(' ');
const tags = [
  ...dateLanguages()
    .flatMap(({ language }) => [language, ...regions.map((region) => `${language}-${region}`)])
    .filter((tag) => new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag),
  ...['ja-u-ca-japanese', 'zh-TW-u-ca-roc', 'th-u-nu-thai', 'ar-SA-u-ca-islamic-umalqura'],
];
const instants = [
  Date.UTC(2024, 1, 28, 9, 7),
  Date.UTC(2024, 1, 29, 0, 5),
  Date.UTC(2024, 2, 1, 13, 30),
  Date.UTC(2024, 2, 2, 23, 59),
  Date.UTC(2024, 2, 13, 12, 1),
];

/** Reads the lines of a file: an instant for each, undefined for one that is refused or does not begin a message. */
function read(lines: readonly string[]): readonly (number | undefined)[] {
  const heads = lines.map(readHead);
  if (heads.includes(undefined)) return lines.map(() => undefined);
  const evidence = new DateEvidence();
  for (const head of heads) if (head) evidence.add(head);
  const { order } = evidence.decide();
  return heads.map((head) => (head && head.unknown === '' ? localTime(head, order) : undefined));
}

describe('short dates of every locale that this Node has', () => {
  const cases = tags.flatMap((tag) =>
    (['short', 'medium'] as const).flatMap((timeStyle) =>
      [undefined, true].map((hour12) => ({ tag, timeStyle, hour12 })),
    ),
  );
  const results = cases.map(({ tag, timeStyle, hour12 }) => {
    const format = new Intl.DateTimeFormat(tag, {
      ...{ dateStyle: 'short', timeStyle, timeZone: 'UTC' },
      ...(hour12 !== undefined && { hour12 }),
    });
    const written = instants.map((instant) => format.format(instant));
    const lines = written.map((date) => (timeStyle === 'short' ? `${date} - Ann: Hi` : `[${date}] Ann: Hi`));
    return { tag, hour12, lines, read: read(lines) };
  });

  it('are read as written, or refused', () => {
    const wrong = results.filter(({ read }) => read.some((ms, index) => ms !== undefined && ms !== instants[index]));
    expect(wrong.map(({ tag, lines }) => [tag, ...lines])).toEqual([]);
  });

  it('are refused in some small languages alone', () => {
    const refused = results.filter(({ read, hour12 }) => hour12 === undefined && read.includes(undefined));
    expect([...new Set(refused.map(({ tag }) => new Intl.Locale(tag).language))].sort()).toEqual([
      'ar',
      'dz',
      'ee',
      'haw',
      'kkj',
      'shn',
      'yo',
    ]);
  });
});
