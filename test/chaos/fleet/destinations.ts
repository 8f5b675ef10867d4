import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ArrivedMessage, readArrived } from '../../../src/sandbox/book.ts';
import type { SeenImport } from './destination.ts';

/** An address, with its content at the end and the time of each arrival. */
export interface Destination {
  readonly url: string;
  arrived(): readonly ArrivedMessage[];
  imports(): readonly SeenImport[];
}

export interface Destinations {
  readonly all: readonly Destination[];
  /** Returns when nothing can arrive any more. */
  close(): Promise<void>;
}

/** Several of them in one process that dies with this one. */
export async function startDestinations(
  folder: string,
  { count, apiKey, seed }: { readonly count: number; readonly apiKey: string; readonly seed: number },
): Promise<Destinations> {
  const child = fork(fileURLToPath(new URL('destination-process.ts', import.meta.url)));
  const options = Array.from({ length: count }, (_, index) => ({
    data: join(folder, `destination-${index + 1}.db`),
    record: join(folder, `destination-${index + 1}.ndjson`),
    apiKey,
    seed: (seed + index) >>> 0,
  }));
  child.send(options);
  const [urls] = (await once(child, 'message')) as [readonly string[]];
  return {
    all: options.map(({ data, record }, index) => ({
      url: urls[index]!,
      arrived: () => readArrived(data),
      imports: () =>
        readFileSync(record, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as SeenImport),
    })),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Arrivals in the fullest minute. */
export function mostInAMinute(imports: readonly SeenImport[]): number {
  const times = imports.map(({ atMs }) => atMs).sort((one, other) => one - other);
  let most = 0;
  let from = 0;
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= 60_000) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
