import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dice } from '../simulate/dice.ts';
import { applicationMapping } from './application.ts';
import { World } from './world.ts';

export const serviceAddress = 'https://simulated.example';
export const serviceKey = 'simulated';

export interface LifeOptions {
  readonly folder: string;
  readonly worldSeed: number;
  readonly seed: number;
  /** After so many instants at which something happens in a run; never without it. */
  readonly killAfter?: number;
  /** Time until anyone noticed the end of the previous life, in virtual ms. */
  readonly gapMs: number;
}

/** The old systems of a month. */
export const worldsOf = (seed: number) => ({
  old: new World({ name: 'old', seed, messagesPerDay: 40, kind: 'unsteady' }),
  archived: new World({ name: 'archived', seed: seed + 1, messagesPerDay: 15, kind: 'steady' }),
  app: new World({ name: 'app', seed: seed + 2, messagesPerDay: 20, kind: 'database' }),
});

const config = `
to: ${serviceAddress}
profile: hosted
sync:
  state: ./chatferry.jobs.db
jobs:
  - name: old
    export: ./export
    schedule: "17 */3 * * *"
    timeZone: America/New_York
    jitter: 10m
    rates:
      - { hours: "08:00-20:00", rate: 10/min }
    drift: send
  - name: archived
    export: { dropFolder: ./dropped, settledFor: 10m }
    schedule: "40 2 * * *"
    timeZone: Europe/Berlin
    hours: "01:00-07:00"
  - name: app
    export: ./app.sqlite
    mapping: ./app.yaml
    schedule: "47 */4 * * *"
    drift: send
`;

/** A line of the month's journal. */
export interface JournalLine {
  readonly atMs: number;
  readonly what: 'begin' | 'end' | 'request' | 'kill' | 'fault' | 'over';
  readonly job?: string;
  readonly number?: number;
  readonly cause?: string;
  readonly exit?: number;
  readonly method?: string;
  readonly path?: string;
  readonly answer?: string;
  readonly [more: string]: unknown;
}

/** A whole month, with so many kills at most. @returns What was written down of it. */
export async function liveMonth(folder: string, seed: number, killsMax: number): Promise<JournalLine[]> {
  writeFileSync(join(folder, 'chatferry.yaml'), config);
  writeFileSync(join(folder, 'app.yaml'), applicationMapping);
  const dice = new Dice(seed);
  for (let life = 0; ; life++) {
    const gapMs = dice.pick([0, 60_000, dice.magnitude(60_000, 12 * 3_600_000)]);
    const killAfter = life < killsMax ? { killAfter: dice.magnitude(1, 1500) } : {};
    await live({ folder, worldSeed: seed, seed: dice.between(0, 2 ** 31), ...killAfter, gapMs });
    const journal = readJournal(folder);
    if (journal.at(-1)?.what === 'over') return journal;
  }
}

function readJournal(folder: string): JournalLine[] {
  const path = join(folder, 'journal.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
}

/** @throws if it ended otherwise than by its kill or with the month. */
async function live(options: LifeOptions): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('life.ts', import.meta.url)), JSON.stringify(options)], {
    env: { ...process.env, CHATFERRY_API_KEY: serviceKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`A life of ${JSON.stringify(options)} ended with ${code}: ${words}`);
}
