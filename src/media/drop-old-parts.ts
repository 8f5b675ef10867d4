import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Parts that nobody continued for so long are of addresses that do not come again. A week, in ms. */
const keptMs = 7 * 86_400_000;

const ours = /^[0-9a-f]{64}\.(part|json)$/;

/**
 * Drops what killed runs left and nobody can or will continue: parts without notes, notes without a part, and old ones.
 *
 * @returns The names of those that stay, without their ends.
 */
export function dropOldParts(folder: string, nowMs: number): Set<string> {
  const names = readdirSync(folder).filter((name) => ours.test(name) || isTemporary(name));
  const all = new Set(names);
  const kept = new Set<string>();
  for (const name of names) {
    const other = name.endsWith('.part') ? name.replace(/part$/, 'json') : name.replace(/json$/, 'part');
    const isWanted = !isTemporary(name) && all.has(other) && statSync(join(folder, name)).mtimeMs > nowMs - keptMs;
    if (isWanted) kept.add(name.slice(0, name.indexOf('.')));
    else rmSync(join(folder, name), { force: true });
  }
  return kept;
}

/** What `replaceFile` writes before it gets its name. */
const isTemporary = (name: string): boolean => /^\.[0-9a-f]{64}\.json\.[0-9a-f]{12}\.tmp$/.test(name);

/** Drops every part, of files that are all copied: a run that was killed behind the last byte of one leaves it. The folder goes as well. */
export function dropAllParts(folder: string): void {
  dropOldParts(folder, Number.POSITIVE_INFINITY);
  // What somebody else has put there stays.
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
