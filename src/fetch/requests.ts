import { formatPointer, parsePointer } from '../io/json/json-pointer.ts';
import { isObject } from '../lib/maps/objects.ts';
import type { Place } from './answers/paging.ts';
import type { Body, Recipe, Step } from './recipe/recipe.ts';
import { climbs, fill, forPath, namesIn, type Values } from './template.ts';

/** A request of a recipe, before the key is in it. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: Body;
}

/** A provider gave an address that the key must not go to. */
export class RefusedAddress extends Error {}

/** A row has a value that cannot be in a path: its lists cannot be asked for. */
export class UnusableId extends RefusedAddress {}

/** The part of each list that is asked for. */
export interface Wanted {
  /** Only what changed since, in Unix ms, as far as the provider says. */
  readonly sinceMs?: number | undefined;
  /** Only what was sent up to then, in Unix ms; needs a recipe that can ask for it. */
  readonly untilMs?: number | undefined;
  /** Rows of a page at most; needs a recipe that can ask for it. */
  readonly pageSize?: number | undefined;
}

/** Rows that a page is asked for; undefined if the provider decides. One row alone could be the one that the page before ended with. */
export const rowsAsked = ({ limit }: Step, place: Place, { pageSize = Number.POSITIVE_INFINITY }: Wanted) =>
  limit && Math.max(2, Math.min(limit.most, place.limit ?? limit.most, pageSize));

export function buildRequest(
  recipe: Recipe,
  step: Step,
  values: Values,
  place: Place,
  wanted: Wanted = {},
): PlainRequest {
  const { sinceMs } = wanted;
  const method = step.get === undefined ? 'POST' : 'GET';
  const all: Values = { ...values, page: pageNumber(step, place) };
  const base = fill(recipe.address, values, forAddress);
  const path = step.get ?? step.post!;
  for (const name of namesIn(path))
    if (climbs(all[name] ?? '')) throw new UnusableId(`${name} is "${all[name] ?? ''}", which no path can have`);
  const url = new URL(base + fill(path, all, forPath));
  const newestFirst = sinceMs !== undefined && step.since && 'stop' in step.since ? step.since.query : {};
  const templates = Object.entries({ ...step.query, ...newestFirst });
  const query = new Map(templates.map(([name, template]) => [name, fill(template, all)]));
  let body = step.body === undefined ? undefined : filled(step.body, all);
  const put = (where: string, value: string, inner: Body = value) => {
    if (where.startsWith('/')) body = withValue(body ?? {}, where, inner);
    else query.set(where, value);
  };
  for (const [name, time] of listTimes(step, wanted)) put(name, time, /^\d+$/.test(time) ? Number(time) : time);
  if (step.limit) query.set(step.limit.as, String(rowsAsked(step, place, wanted)));
  if (step.only !== undefined && values.only !== undefined) query.set(step.only, values.only);
  const { next } = step;
  if (next && 'page' in next && next.page !== '{page}')
    put(next.page, pageNumber(step, place), Number(pageNumber(step, place)));
  if (next && 'offset' in next) put(next.offset, String(place.offset), place.offset);
  if (place.value !== undefined && next && 'take' in next && next.take !== undefined) put(next.take, place.value);
  if (place.value !== undefined && next && 'as' in next) {
    if ('cursor' in next && next.alone) {
      query.clear();
      body = undefined;
    }
    put(next.as, place.value);
  }
  for (const [name, value] of query) url.searchParams.set(name, value);
  const to = place.link === undefined ? url : linkedFrom(url, place.link);
  assertAllowed(recipe, base, to);
  return { method, url: to, ...(method === 'POST' && { body: body ?? {} }) };
}

function* listTimes({ since }: Step, { sinceMs, untilMs }: Wanted): Generator<readonly [name: string, time: string]> {
  if (!since || !('as' in since) || (sinceMs ?? untilMs) === undefined) return;
  const marginMs = since.of === undefined ? 0 : 1000;
  // An end without a beginning may be ignored, and so may a beginning of 0.
  yield [since.as, timeFor(Math.max((sinceMs ?? 0) - marginMs, 1000), since.format)];
  if (untilMs !== undefined && since.until !== undefined)
    yield [since.until, timeFor(untilMs + marginMs, since.format)];
}

const pageNumber = ({ next }: Step, { page }: Place): string =>
  String(next && 'page' in next ? page - 1 + next.from : page);

function linkedFrom(url: URL, link: string): URL {
  if (!URL.canParse(link, url)) throw new RefusedAddress('the address of the next page is none');
  return new URL(link, url);
}

/** The key goes to the hosts of the recipe only, in the clear to this machine alone. @throws RefusedAddress */
export function assertAllowed({ hosts }: Recipe, base: string, url: URL): void {
  const own = new URL(base);
  const isOwn = url.origin === own.origin;
  if (isOwn || (url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname))) return;
  throw new RefusedAddress(`the answer leads to ${url.protocol}//${url.host}, which is none of the provider's hosts`);
}

/** In an address, a setting is a part of a host or of a path: whole addresses are settings too, and keep their signs. */
const forAddress = (value: string): string => (/^https?:\/\//.test(value) ? value.replace(/\/+$/, '') : forPath(value));

function filled(body: Body, values: Values): Body {
  if (typeof body === 'string') return fill(body, values);
  if (Array.isArray(body)) return body.map((inner: Body) => filled(inner, values));
  if (!isObject(body)) return body as Body;
  return Object.fromEntries(Object.entries(body).map(([key, inner]) => [key, filled(inner as Body, values)]));
}

/** A copy in which `pointer` has this value; objects on the way are made. */
function withValue(body: Body, pointer: string, value: Body): Body {
  const [first, ...rest] = parsePointer(pointer) ?? [];
  if (first === undefined) return value;
  if (Array.isArray(body)) {
    const inner = (body as readonly Body[])[Number(first)] ?? {};
    return (body as readonly Body[]).with(Number(first), withValue(inner, formatPointer(rest), value));
  }
  const object = isObject(body) ? (body as Readonly<Record<string, Body>>) : {};
  return { ...object, [first]: withValue(object[first] ?? {}, formatPointer(rest), value) };
}

export type TimeFormat = 'seconds' | 'milliseconds' | 'iso' | 'date' | 'pubnub';

function timeFor(ms: number, format: TimeFormat): string {
  const iso = new Date(ms).toISOString();
  if (format === 'seconds') return String(Math.floor(ms / 1000));
  if (format === 'milliseconds') return String(ms);
  if (format === 'pubnub') return `${Math.floor(ms)}0000`;
  return format === 'iso' ? iso : iso.slice(0, 10);
}

/** Unix ms of a time as a provider writes it; undefined if it is none. */
export function timeIn(text: string | undefined, format: TimeFormat): number | undefined {
  if (text === undefined) return undefined;
  if (format === 'iso' || format === 'date') {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? undefined : ms;
  }
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const digits = format === 'pubnub' ? text.slice(0, -4) : text;
  return format === 'seconds' ? Number(digits) * 1000 : Number(digits);
}
