import type { Reaction } from '../../model/records.ts';
import { asArray, asCount, asObject, asString } from '../kit/narrow.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { self, timeOf } from './format.ts';
import { type Info, readInfo } from './info.ts';

/** Codes of the five reactions that the app offers first, as its bar shows them. Above them no source is sure. */
const emojis: Readonly<Record<string, string>> = { 1: '❤️', 2: '😂', 3: '😮', 4: '😢', 5: '😡' };

/** Reactions of one message, as they are now. */
export interface ReactionsNow {
  readonly reactions: readonly Reaction[];
  /** When the latest of them came, or was taken back. */
  readonly lastMs: number;
  /** Those of which the emoji is not known. */
  readonly unknownCount: number;
}

/** The reactions that a message itself has. */
export interface OwnReactions {
  readonly row: DatabaseRow;
  readonly info: Info;
  /** Events of reactions to it, in order of time. */
  readonly events: readonly DatabaseRow[];
  /** The person of a row. */
  personOf(row: DatabaseRow): string | undefined;
}

/** A code, and who gave it. */
interface Given {
  readonly code: string;
  readonly person: string | undefined;
}

export function reactionsNow({ row, info, events, personOf }: OwnReactions): ReactionsNow {
  const latest = new Map<string, Given>();
  let lastMs = 0;
  for (const event of events) {
    const person = numberOf(event.Direction) === 1 ? self : personOf(event);
    latest.set(person ?? `event ${String(event.EventID)}`, { code: codeOf(event), person });
    lastMs = Math.max(lastMs, timeOf(event.TimeStamp) ?? 0);
  }
  if (events.length === 0) latest.set(self, { code: codeOf(row), person: self });
  const given = Map.groupBy(latest.values(), ({ code }) => code);
  given.delete('');
  return { ...byEmoji(given, readCounts(row, info)), lastMs };
}

/** A code from 1 to 5, or the emoji itself; empty for none. */
function codeOf(row: DatabaseRow): string {
  const emoji = asString(row.SelfReaction);
  const quick = numberOf(row.PGIsLiked) ?? 0;
  return emoji ?? (quick > 0 ? String(quick) : '');
}

/** Counts by code: who is not named by an event is counted here. */
function readCounts(row: DatabaseRow, info: Info): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (code: string, value: unknown) =>
    counts.set(code, Math.max(counts.get(code) ?? 0, asCount(value) ?? 0));
  for (const column of [row.MembersReactions, row.AdminsReactions])
    for (const [code, value] of Object.entries((readInfo(column) ?? {}) as Record<string, unknown>)) count(code, value);
  for (const value of asArray(info.messageReactions)) {
    const { type, count: many } = asObject<{ type: number; count: number }>(value) ?? {};
    if (typeof type === 'number' || typeof type === 'string') count(String(type), many);
  }
  return counts;
}

function byEmoji(
  given: ReadonlyMap<string, readonly Given[]>,
  counts: ReadonlyMap<string, number>,
): Pick<ReactionsNow, 'reactions' | 'unknownCount'> {
  const reactions: Reaction[] = [];
  let unknownCount = 0;
  for (const code of new Set([...given.keys(), ...counts.keys()])) {
    const all = given.get(code) ?? [];
    const count = Math.max(all.length, counts.get(code) ?? 0);
    const emoji = /^\d+$/.test(code) ? emojis[code] : code;
    if (emoji === undefined || emoji === '') unknownCount += count;
    else if (count > 0) reactions.push({ emoji, users: all.flatMap(({ person }) => person ?? []), count });
  }
  return { reactions, unknownCount };
}
