import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monthStartMs, type World } from './world.ts';

const dayMs = 86_400_000;

/** Archives with the days that they hold, and the day on which they are dropped: two overlap, and one comes after its successor. */
const archives = [
  { from: 0, to: 6, dropped: 6 },
  { from: 4, to: 11, dropped: 11 },
  { from: 15, to: 20, dropped: 20 },
  { from: 10, to: 16, dropped: 22 },
  { from: 20, to: 29, dropped: 29 },
].map(({ from, to, dropped }) => ({
  name: `until-day-${to}.ndjson`,
  droppedAtMs: monthStartMs + dropped * dayMs,
  fromMs: monthStartMs + from * dayMs,
  toMs: monthStartMs + to * dayMs,
}));

/** Writes the archives that were dropped by now to the folder. They stay there, and never change. */
export function dropArchives(folder: string, world: World, nowMs: number): void {
  for (const { name, fromMs, toMs, droppedAtMs } of archives) {
    const path = join(folder, name);
    if (nowMs < droppedAtMs || existsSync(path)) continue;
    writeFileSync(path, world.archive(fromMs, toMs));
    utimesSync(path, droppedAtMs / 1000, droppedAtMs / 1000);
  }
}

/** Whether an archive holds what was written at an instant. */
export const isArchived = (ms: number): boolean => archives.some(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs);
