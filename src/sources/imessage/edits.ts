import { asDictionary, asList, type PlistValue, readBinaryPlist } from './archive/binary-plist.ts';
import { type Body, readBody } from './body.ts';

/** How a message was changed after it was sent. */
export interface Edits {
  /** Earlier versions of its parts, in all. */
  readonly earlierCount: number;
  /** The latest version of each part that was edited. */
  readonly latest: readonly Body[];
  /** Parts that were taken back. */
  readonly unsentCount: number;
  /** Every part was taken back. */
  readonly isUnsent: boolean;
}

const none: Edits = { earlierCount: 0, latest: [], unsentCount: 0, isUnsent: false };

/** Reads `message_summary_info`. One that cannot be read says nothing. */
export function readEdits(bytes: Uint8Array | undefined): Edits {
  if (bytes === undefined) return none;
  try {
    return fromInfo(readBinaryPlist(bytes));
  } catch (error) {
    if (error instanceof RangeError) return none;
    throw error;
  }
}

function fromInfo(value: PlistValue): Edits {
  const info = asDictionary(value);
  const parts = [...(asDictionary(info?.get('ec')) ?? [])].toSorted(([a], [b]) => Number(a) - Number(b));
  const unsent = new Set(asList(info?.get('rp')).filter((part) => typeof part === 'number'));
  const partCount = asDictionary(info?.get('otr'))?.size ?? 0;
  const versions = parts.map(([part, events]) => ({ part: Number(part), events: asList(events) }));
  return {
    earlierCount: versions.reduce((sum, { events }) => sum + Math.max(events.length - 1, 0), 0),
    latest: versions.filter(({ part }) => !unsent.has(part)).flatMap(({ events }) => latestBody(events)),
    unsentCount: unsent.size,
    isUnsent: unsent.size > 0 && unsent.size >= partCount,
  };
}

function latestBody(events: readonly PlistValue[]): Body[] {
  const text = asDictionary(events.at(-1))?.get('t');
  return text instanceof Uint8Array ? [readBody(text)] : [];
}
