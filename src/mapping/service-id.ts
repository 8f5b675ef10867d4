import { sha256Base32 } from '../lib/hash.ts';

/** 100 characters: properties and constraints page of the public service, 2026-11. */
const lengthMax = 100;
const suffixLength = 8;

/** The id that the mapping gives by hand; an id of the export may be `constructor`. */
export const chosenId = (byHand: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.hasOwn(byHand, id) ? byHand[id] : undefined;

/**
 * A `uid` or `guid` for an id of the export: lower-cased, `[a-z0-9_-]`, at most 100 characters.
 * Where a character had to be replaced or the id cut, `-` and 8 characters of its hash are appended, so that different ids stay different.
 * Lower-casing alone adds nothing: ids that differ in case only collide, and the plan names both.
 */
export function serviceId(id: string): string {
  const lower = id.toLowerCase();
  if (lower.length > 0 && lower.length <= lengthMax && /^[a-z0-9_-]+$/.test(lower)) return lower;
  const kept = lower.replaceAll(/[^a-z0-9_-]+/g, '-').slice(0, lengthMax - suffixLength - 1);
  return `${kept}-${sha256Base32(id, suffixLength)}`;
}
