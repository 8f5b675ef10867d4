import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Age at which a part is dropped, in ms: a week. If no run continued it for so long, its address will not come again. */
const keptMs = 7 * 86_400_000;

const ours = /^[0-9a-f]{64}\.(part|json)$/;

/**
 * Drops leftovers of killed runs that no run can or will continue: parts without notes, notes without a part, and old
 * ones.
 *
 * @returns The names of those that stay, without their extensions.
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

/** Returns whether this is a file that `replaceFile` has not renamed yet. */
const isTemporary = (name: string): boolean => /^\.[0-9a-f]{64}\.json\.[0-9a-f]{12}\.tmp$/.test(name);

/** Drops every part, of files that are all copied: a run that was killed behind the last byte of one leaves it. The folder goes as well. */
export function dropAllParts(folder: string): void {
  dropOldParts(folder, Number.POSITIVE_INFINITY);
  // Files that another program has put there stay.
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
