/**
 * Limits of single fields. Those that differ between destinations are in `profiles.ts`.
 *
 * Except those of pages, the specification names none of them: they are those that the hosted service documents
 * (properties and constraints page, 2026-11), and the sandbox applies them if the comment says so.
 */

/** `uid` and `guid`: 100 characters of `a-z 0-9 - _`; upper case is forced to lower. The sandbox always checks it. */
export const idPattern = /^[a-z0-9_-]{1,100}$/;

/** A muid's bounds are documented nowhere. Assumed: as long as a uid, visible ASCII; ours are `[a-z0-9]`, 32 at most. */
export const muidPattern = /^[\x21-\x7e]{1,100}$/;

/** Name of a user or group, in characters. The sandbox checks it under the `public` profile. */
export const nameLengthMax = 100;

/** Description of a group, in characters. The sandbox checks it under the `public` profile. */
export const descriptionLengthMax = 255;

/** Messages per page of a listing: the specification's bound. */
export const listLimitMax = 1000;

/** Messages per page if the request names no limit: the specification's default. */
export const listLimitDefault = 10;

/** Rows per numbered page: the specification's bound and its default. */
export const perPageMax = 1000;
export const perPageDefault = 100;

/** Identifiers in one request; the specification bounds them in no way. Assumed, so that no request keeps all others waiting. */
export const idsPerRequestMax = 10_000;

/** Users, and groups, to whom one request sends: assumed, for the same reason. */
export const receiversMax = 1_000;

/** The greatest time of ten digits: what has more is milliseconds. */
export const secondsMax = 9_999_999_999;

/** 3,000 characters, an URL: properties and constraints page of the hosted service, 2026-11. */
export const isUsableUrl = (url: string | undefined): url is string =>
  url !== undefined && url.length <= 3000 && /^https?:\/\//.test(url) && URL.canParse(url);

/** Returns the time before which messages are older than a destination keeps them. */
export const keptFromMs = (nowMs: number, retentionDays: number): number => nowMs - retentionDays * 86_400_000;
