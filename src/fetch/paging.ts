import { isYes, scalarText, valueAt } from './exact-json.ts';
import type { Step } from './recipe.ts';

/** Where a list goes on, as the journal keeps it. */
export interface Place {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows of the pages before it. */
  readonly offset: number;
  /** Pages that were kept before it, of both times that a list is read. */
  readonly kept: number;
  /** Address of this page, if the provider gave one. */
  readonly link?: string;
  /** Value that asks for this page, if the provider or a row gave one. */
  readonly value?: string;
  /** The list is read from its beginning a second time, for what moved to its front in the meantime. */
  readonly isAgain?: boolean;
}

export const firstPlace: Place = { page: 1, offset: 0, kept: 0 };

/** What a page was. */
export interface Page {
  readonly answer: unknown;
  readonly rows: readonly unknown[];
  /** Rows that no page before it had. */
  readonly newCount: number;
  /** Rows that a page before it had otherwise. */
  readonly changedCount: number;
}

/** Why a list cannot be read to its end, in words. */
export class Stuck {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** @returns The place of the next page; undefined behind the last one. */
export function placeAfter(step: Step, place: Place, page: Page): Place | undefined | Stuck {
  const { next, size, more, done } = step;
  const { answer, rows, newCount, changedCount } = page;
  if (next === undefined) return undefined;
  const after = { page: place.page + 1, offset: place.offset + rows.length, kept: place.kept + 1 };
  const isLast =
    (more !== undefined && !isYes(valueAt(answer, more))) || (done !== undefined && isYes(valueAt(answer, done)));
  if ('page' in next || 'offset' in next) {
    if (place.isAgain) return newCount === 0 ? undefined : { ...after, isAgain: true };
    const isEnd = isLast || rows.length === 0 || (size !== undefined && more === undefined && rows.length < size);
    return isEnd ? readAgain(place, after.kept) : after;
  }
  const moves = 'link' in next && next.moves;
  if (moves && place.isAgain && newCount + changedCount === 0) return undefined;
  if (isLast) return undefined;
  if ('row' in next) return placeByRow(step, next, place, page);
  const found = 'link' in next ? valueAt(answer, next.link) : valueAt(answer, next.cursor);
  const value = isYes(found) ? scalarText(found) : undefined;
  if (value === undefined) return moves && !place.isAgain ? readAgain(place, after.kept) : undefined;
  // A list that asks for the same page again never ends.
  if (value === (place.link ?? place.value)) return new Stuck(`page ${place.page} names itself as the next page`);
  return { ...after, ...('link' in next ? { link: value } : { value }), ...(place.isAgain && { isAgain: true }) };
}

/** What changes while the list is read moves to its front: rows may have moved past us. */
const readAgain = ({ page }: Place, kept: number): Place | undefined =>
  page > 1 ? { ...firstPlace, kept, isAgain: true } : undefined;

function placeByRow(
  { size }: Step,
  { row, field }: { readonly row: 'first' | 'last'; readonly field: string },
  place: Place,
  { rows, newCount }: Page,
): Place | undefined | Stuck {
  if (rows.length === 0 || (size !== undefined && rows.length < size)) return undefined;
  const value = scalarText(valueAt(row === 'first' ? rows[0] : rows.at(-1), field));
  if (value === undefined) return new Stuck(`the ${row} row of page ${place.page} has no ${field}`);
  if (newCount > 0 && value !== place.value)
    return { page: place.page + 1, offset: place.offset + rows.length, kept: place.kept + 1, value };
  // Without a known size, a page that has nothing new is the last one, given again.
  if (size === undefined) return undefined;
  // Asked for by a value that all rows of a page share, the next page would be this one again.
  return new Stuck(
    newCount === 0
      ? `no row of page ${place.page} is new`
      : `all ${size} rows of page ${place.page} have the same ${field}`,
  );
}
