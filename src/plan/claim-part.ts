import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import type { Store } from '../checkpoint/base/store.ts';
import { StoreError, UsageError } from '../lib/errors.ts';
import { formatPart, type Part, partsMax } from '../model/part.ts';
import type { PlanOptions } from './plan-options.ts';
import type { PartOrder } from './reading/part-filter.ts';

/**
 * A store holds one part of an export, or all of it, fixed by its first plan. Where conversations were placed by hand, the store
 * knows where: a later plan need not say it again. What the mapping merges may not change any more: conversations would move from
 * one store to another, and messages that were sent with them.
 *
 * @returns What is kept of what is read; nothing where it is all.
 * @throws StoreError, UsageError
 */
export function claimPart(
  store: Store,
  { part, mapping }: Pick<PlanOptions, 'part' | 'mapping'>,
): PartOrder | undefined {
  if (part) assertPart(part);
  const owner = storedPart(store.db);
  const merges = mapping.rules.conversations.merge;
  if (owner || readMeta(store.db, 'source') !== undefined) assertSame(store.path, owner, part);
  if (owner) assertMerges(store.path, owner, merges);
  const placed = placedIn(owner) ?? placedIn(part);
  return part && { ...part, placed, merges };
}

/** Inside the caller's transaction. */
export function notePart(db: Database, { index, of, placed, merges }: PartOrder): void {
  writeMeta(db, 'part', JSON.stringify({ index, of, merges, ...(placed && { placed }) }));
}

/** What a store holds of its export; nothing where it is all of it. */
export function storedPart(db: Database): PartOrder | undefined {
  const text = readMeta(db, 'part');
  return text === undefined ? undefined : (JSON.parse(text) as PartOrder);
}

/** In an order of their own, so that the same places are the same text. */
function placedIn(part: Part | undefined): Part['placed'] {
  const places = Object.entries(part?.placed ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

function assertPart(part: Part): void {
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < part.of;
  const isPart = Number.isInteger(part.of) && part.of >= 1 && part.of <= partsMax && isPlace(part.index);
  if (isPart && Object.values(part.placed ?? {}).every(isPlace)) return;
  throw new UsageError(
    `Cannot plan part ${part.index + 1} of ${part.of}: there is no such part, or something is placed in none`,
  );
}

function assertMerges(path: string, { merges }: PartOrder, now: PartOrder['merges']): void {
  if (JSON.stringify(merges) === JSON.stringify(now)) return;
  throw new StoreError(
    `Cannot plan into "${path}": it holds a part, and the mapping merges other conversations than when the part was planned first`,
    { path, hint: 'Keep conversations.merge as it was, or plan all parts into new stores' },
  );
}

function assertSame(path: string, owner: Part | undefined, part: Part | undefined): void {
  const isSame = owner?.index === part?.index && owner?.of === part?.of;
  const isPlacedSame = part?.placed === undefined || JSON.stringify(placedIn(owner)) === JSON.stringify(placedIn(part));
  if (isSame && isPlacedSame) return;
  const wordsOf = (one: Part | undefined) => (one ? formatPart(one) : 'all');
  const words = isSame
    ? `its conversations are placed in parts otherwise`
    : `it holds ${wordsOf(owner)} of its export, and ${wordsOf(part)} was asked for`;
  throw new StoreError(`Cannot plan into "${path}": ${words}`, {
    path,
    hint: owner
      ? `Pass --part ${owner.index + 1}/${owner.of}, or --store with another file`
      : 'Pass --store with another file for each part',
  });
}
