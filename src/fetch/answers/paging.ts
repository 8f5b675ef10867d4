import { formatCount } from '../../lib/text/count.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { isYes, scalarText, valueAt } from './exact-json.ts';
import type { Step } from '../recipe/recipe.ts';

/** The place at which a list goes on, as the journal keeps it. */
export interface Place {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows of the pages before it. */
  readonly offset: number;
  /** Pages that were kept before it, of both times that a list is read. */
  readonly kept: number;
  /** Rows of a page, after an answer was too long. */
  readonly limit?: number;
  /** Address of this page, if the provider gave one. */
  readonly link?: string;
  /** Value that asks for this page, if the provider or a row gave one. */
  readonly value?: string;
  /** The list is read from its beginning a second time, for what moved to its front in the meantime. */
  readonly isAgain?: boolean;
  /** Pages that were kept when the list was begun again, because the provider no longer knew the place that was kept. */
  readonly begunAgainAt?: number;
  /** Pages before it, one behind the other, that had nothing new. */
  readonly stale?: number;
  /** Hash of the page before this one, and how many before it were the same, where pages have numbers. */
  readonly before?: { readonly hash: string; readonly times: number };
}

export const firstPlace: Place = { page: 1, offset: 0, kept: 0 };

export interface Page {
  readonly answer: unknown;
  readonly status: number;
  readonly rows: readonly unknown[];
  /** Rows that no page before it had. */
  readonly newCount: number;
  /** Rows that are not as they were when the list gave them before. */
  readonly changedCount: number;
}

/** Why a list cannot be read to its end, in words. */
export class Stuck {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** More than any conversation: a provider that names ever new pages would fill the disk. */
const pagesMax = 1_000_000;

/** @returns The place of the next page; undefined behind the last one. */
export function placeAfter(step: Step, place: Place, page: Page): Place | undefined | Stuck {
  const after = placeBehind(step, place, page);
  if (after !== undefined && !(after instanceof Stuck) && place.page >= pagesMax)
    return new Stuck(`it has more than ${formatCount(pagesMax)} pages`);
  return after === undefined && step.partial === page.status
    ? new Stuck('the last answer says that more follows')
    : after;
}

function placeBehind(step: Step, place: Place, page: Page): Place | undefined | Stuck {
  const { next, size, more, done, partial } = step;
  const { answer, rows, newCount, changedCount } = page;
  if (next === undefined) return undefined;
  const counted = { page: place.page + 1, offset: place.offset + rows.length, kept: place.kept + 1 };
  const after = {
    ...counted,
    ...(place.limit !== undefined && { limit: place.limit }),
    ...(place.begunAgainAt !== undefined && newCount === 0 && { begunAgainAt: place.begunAgainAt }),
  };
  const saysMore = more !== undefined && isYes(valueAt(answer, more));
  const isLast =
    (partial !== undefined && page.status !== partial) ||
    (more !== undefined && !saysMore) ||
    (done !== undefined && isYes(valueAt(answer, done)));
  if ('page' in next || 'offset' in next) {
    // Rows that moved to the front have changed: the first row that has not, and all behind it, are where they were.
    if (place.isAgain)
      return newCount > 0 || (changedCount > 0 && changedCount === rows.length)
        ? { ...after, isAgain: true }
        : undefined;
    const isEnd = isLast || rows.length === 0 || (size !== undefined && more === undefined && rows.length < size);
    if (!isEnd) return afterNumber(place, page, after);
    return readAgain(place, after.kept);
  }
  const moves = 'link' in next && next.moves;
  if (moves && place.isAgain && newCount + changedCount === 0) return undefined;
  if (isLast) return undefined;
  if ('row' in next) return placeByRow(step, next, after, place, page);
  const found = 'link' in next ? valueAt(answer, next.link) : valueAt(answer, next.cursor);
  const given = isYes(found) ? scalarText(found) : undefined;
  if (given === undefined) {
    if (isYes(found)) return new Stuck(`page ${place.page} says where more follows in a form that is not understood`);
    if (saysMore) return new Stuck(`page ${place.page} says that more follows, and not where`);
    return moves && !place.isAgain ? readAgain(place, after.kept) : undefined;
  }
  const taken = 'link' in next ? next.take : undefined;
  const value = taken === undefined ? given : findParameter(given, taken);
  if (value === undefined) return new Stuck(`the address that page ${place.page} gives has no ${taken}`);
  // A list that asks for the same page again never ends; some name the end of a list again and again.
  if (value === (place.link ?? place.value))
    return rows.length === 0 ? undefined : new Stuck(`page ${place.page} names itself as the next page`);
  const where = 'link' in next && taken === undefined ? { link: value } : { value };
  return orStale(page, place, { ...after, ...where, ...(place.isAgain && { isAgain: true }) });
}

const findParameter = (address: string, name: string): string | undefined =>
  URL.canParse(address) ? (new URL(address).searchParams.get(name) ?? undefined) : undefined;

/** Pages that are all the same: rows that moved back by exactly one page may give two such pages, but not three. */
const samePagesMax = 3;

/** A provider that does not know the number of the page gives the first one each time. */
function afterNumber(place: Place, page: Page, after: Place): Place | Stuck {
  const hash = sha256Hex(JSON.stringify(page.rows)).slice(0, 16);
  const times = place.before?.hash === hash ? place.before.times + 1 : 1;
  if (times === samePagesMax) return new Stuck(`page ${place.page} is the same as the ${times - 1} pages before it`);
  return orStale(page, place, { ...after, before: { hash, times } });
}

/** So many pages in a row without anything new: places that go round in a circle, or rows that change a little each time. */
const staleMax = 100;

function orStale({ newCount }: Page, place: Place, after: Place): Place | Stuck {
  const stale = newCount > 0 ? 0 : (place.stale ?? 0) + 1;
  // A list that was begun again gives first what it has given.
  if (stale === staleMax + (place.begunAgainAt ?? 0))
    return new Stuck(`${staleMax} pages up to page ${place.page} have nothing new`);
  return stale > 0 ? { ...after, stale } : after;
}

/** Rows that change while the list is read move to its front: they may have moved past us. */
const readAgain = ({ page }: Place, kept: number): Place | undefined =>
  page > 1 ? { ...firstPlace, kept, isAgain: true } : undefined;

function placeByRow(
  { size }: Step,
  {
    row,
    field,
    most = size,
  }: { readonly row: 'first' | 'last'; readonly field: string; readonly most?: number | undefined },
  after: Place,
  place: Place,
  { rows, newCount }: Page,
): Place | undefined | Stuck {
  if (rows.length === 0 || (size !== undefined && rows.length < size)) return undefined;
  const value = scalarText(valueAt(row === 'first' ? rows[0] : rows.at(-1), field));
  if (value === undefined) return new Stuck(`the ${row} row of page ${place.page} has no ${field}`);
  // Rows that come while pages are read may have the same value as the row that asked for them.
  if (newCount > 0) return { ...after, value };
  // A page that has nothing new is the last one, given again; unless it is full of rows that share the value which asks for it.
  if (most === undefined || rows.length < most) return undefined;
  return new Stuck(`all ${rows.length} rows of page ${place.page} came before, and more may follow`);
}
