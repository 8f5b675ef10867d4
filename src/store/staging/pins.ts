import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { sha256Hex } from '../../lib/hash.ts';
import type { Profile } from '../../service/profiles.ts';
import { Facts } from '../facts.ts';

/** Digests of the inputs of a plan: three, each the first 16 hex digits of SHA-256. */
export interface Pins {
  /** Over path and fingerprint of every file that was read. */
  readonly export: string;
  readonly mapping: string;
  readonly profile: string;
}

const digest = (text: string) => sha256Hex(text).slice(0, 16);

/**
 * Pins a plan that has read everything, and notes what changed since the one before it.
 *
 * @param isExportChanged Otherwise the files need not be looked at: 0.3 s for 300,000.
 */
export function pinPlan(
  db: Database,
  { mappingHash, profile, isExportChanged }: { mappingHash: string; profile: Profile; isExportChanged: boolean },
): void {
  const before = readPins(db);
  const pins: Pins = {
    export: before && !isExportChanged ? before.export : exportDigest(db),
    mapping: digest(mappingHash),
    profile: digest(JSON.stringify(profile)),
  };
  new Facts(db).write('pins', JSON.stringify(pins));
  new Facts(db).write('changedSince', JSON.stringify(changedPins(before, pins)));
}

/** Characters: a call for each of many small files would take as long as the hashing. */
const hashedTogether = 10_000;

function exportDigest(db: Database): string {
  const hash = createHash('sha256');
  const inputs = db.prepare<[], { id: number; path: string }>('SELECT id, path FROM source_input ORDER BY path').all();
  const files = db
    .prepare<[string, number], string>(
      `SELECT json_array(?, path, fingerprint) FROM source_file WHERE input = ? AND role NOT IN ('gone', 'rest') ORDER BY path`,
    )
    .pluck();
  for (const { id, path } of inputs) {
    let text = '';
    for (const file of files.iterate(path, id)) {
      text += file;
      if (text.length < hashedTogether) continue;
      hash.update(text);
      text = '';
    }
    hash.update(text);
  }
  return hash.digest('hex').slice(0, 16);
}

export function readPins(db: Database): Pins | undefined {
  const text = new Facts(db).read('pins');
  return text === undefined ? undefined : (JSON.parse(text) as Pins);
}

/** In words, what changed between the plan before and this one. */
export function readChanges(db: Database): string[] {
  return JSON.parse(new Facts(db).read('changedSince') ?? '[]') as string[];
}

const changes: Readonly<Record<keyof Pins, string>> = {
  export: 'the export changed: its files are others, or were edited',
  mapping: 'the mapping changed',
  profile: 'the assumptions about the destination changed: limits, pace or retention',
};

function changedPins(before: Pins | undefined, after: Pins): string[] {
  if (!before) return [];
  return (['export', 'mapping', 'profile'] as const)
    .filter((what) => before[what] !== after[what])
    .map((what) => `${changes[what]} (${before[what]} to ${after[what]})`);
}
