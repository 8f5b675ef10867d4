import { parsePointer } from '../../../io/json/json-pointer.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { SourceAdapter } from '../../../sources/source.ts';
import type { CountedPart } from '../../results.ts';

type Counts = { -readonly [Key in keyof CountedPart]: CountedPart[Key] };

type Counted = 'rows' | 'people' | 'conversations';

const partsMax = 1000;

/** Counts the records of each file, or of each table if the source is a database. Those beyond the first 1,000 are not kept. */
export class PartCounter {
  readonly #parts = new Map<string, Counts>();
  readonly #hasTables: boolean;

  constructor({ name }: Pick<SourceAdapter, 'name'>) {
    this.#hasTables = name === 'database';
  }

  add(entry: Entry): void {
    const counted = countedAs(entry);
    if (counted === undefined || entry.type === 'file') return;
    const part = this.#partAt(entry.location);
    if (part === undefined) return;
    part[counted]++;
    if (entry.type === 'record' && entry.record.kind === 'message') noteTime(part, entry.record.sentAtMs);
  }

  list(): readonly CountedPart[] {
    return [...this.#parts.values()];
  }

  #partAt({ path, pointer = '' }: Location) {
    const table = this.#hasTables ? parsePointer(pointer)?.[0] : undefined;
    const key = table === undefined ? path : `${path}\0${table}`;
    const known = this.#parts.get(key);
    if (known || this.#parts.size >= partsMax) return known;
    const counts = { rows: 0, people: 0, conversations: 0, firstAtMs: null, lastAtMs: null };
    const part = { path, ...(table !== undefined && { table }), ...counts };
    this.#parts.set(key, part);
    return part;
  }
}

function noteTime(part: Counts, atMs: number): void {
  part.firstAtMs = Math.min(part.firstAtMs ?? atMs, atMs);
  part.lastAtMs = Math.max(part.lastAtMs ?? atMs, atMs);
}

function countedAs(entry: Entry): Counted | undefined {
  if (entry.type === 'invalid') return 'rows';
  if (entry.type !== 'record') return undefined;
  const { kind } = entry.record;
  if (kind === 'message') return 'rows';
  if (kind === 'user') return 'people';
  return kind === 'conversation' ? 'conversations' : undefined;
}
