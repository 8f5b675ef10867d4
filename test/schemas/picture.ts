import { existsSync } from 'node:fs';
import { describeReading } from '../../src/decisions/reading.ts';
import { openStoreToRead } from '../../src/store/open.ts';

/** What a person is shown of a reading before it is confirmed. */
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

/** What comes after the binding: `res_id in rooms: 3 conversations`. Rules may leave rows out where a query does not read them. */
function result(heading: string, text: string): string {
  if (heading === 'Not read') return text;
  if (/^(?:those who wrote|nothing says it)/.test(text)) return text;
  const words = text.includes(': ') ? text.split(': ').at(-1)! : '';
  return heading === 'Messages' ? words.replace(/; [\d,]+ left out,?/, '').replace(/^.*→ /, '') : words;
}
