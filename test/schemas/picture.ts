import { existsSync } from 'node:fs';
import { describeReading } from '../../src/decisions/reading.ts';
import { openStoreToRead } from '../../src/store/open.ts';

/** The part of a reading that a person is shown before it is confirmed. */
export interface Shown {
  /** Names of the alarms that fire. */
  readonly alarms: readonly string[];
  /** Lines by their headings. A second line under a heading is `Written by: names`. */
  readonly lines: Readonly<Record<string, string>>;
}

/** The reading of a plan, without how its columns are bound: a query and a table that yield the same are the same. */
export function shownBy(store: string): Shown {
  const described = existsSync(store) ? withStore(store) : undefined;
  const lines: Record<string, string> = {};
  let last = '';
  for (const [heading, text] of described?.picture ?? []) {
    lines[heading === '' ? `${last}: names` : heading] = heading === '' ? text : result(heading, text);
    if (heading !== '') last = heading;
  }
  return { alarms: described?.alarms.map(({ id }) => id.replace('alarm-', '')) ?? [], lines };
}

function withStore(path: string) {
  const store = openStoreToRead(path);
  try {
    return describeReading(store);
  } finally {
    store.close();
  }
}

/** The results in a line, without the columns that they come from. Rules may leave rows out where a query does not read them. */
const results: Readonly<Record<string, RegExp>> = {
  Messages: /[\d,]+ messages?\b|[\d,]+ cannot be read/g,
  'Written by': /(?<=: )[\d,]+ (?:person|people)\b.*$/g,
  In: /(?<=: )[\d,]+ conversations?\b.*$/g,
  Names: /^nothing says it|[\d,]+ are .*$/g,
  Members: /^those who wrote|(?<=: )[\d,]+ in [\d,]+ groups?.*$/g,
  'Seen by': /^.*$/g,
  Times: /(?:[\d-]+ [\d:]+|–) \.\. (?:[\d-]+ [\d:]+|–)(?= UTC)|(?<=; ).*$/g,
  Texts: /[\d,]+ of [\d,]+ look encrypted/g,
  'Not read': /^.*$/g,
};

const result = (heading: string, text: string): string => (text.match(results[heading] ?? /^$/g) ?? []).join('; ');

/** Whether two pictures differ in a line, as far as both show it. */
export function differsIn(line: string, one: Shown, other: Shown): boolean {
  const texts = [one, other].map(({ lines }) => lines[line] ?? '');
  const shown = Math.min(...texts.map((text) => (text.endsWith('…') ? text.length - 1 : Number.POSITIVE_INFINITY)));
  return texts[0]!.slice(0, shown) !== texts[1]!.slice(0, shown);
}
