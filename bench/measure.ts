import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const usageModule = new URL('usage.mjs', import.meta.url).href;
const root = fileURLToPath(new URL('..', import.meta.url));

/** What a measured program used, as `usage.mjs` writes it. */
interface Usage {
  readonly peakRssBytes: number;
  /** CPU time of all threads together: steadier than the clock when other programs run too. */
  readonly cpuMs: number;
}

export interface Measured extends Usage {
  /** From start to end of the process, Node's own start included. */
  readonly wallMs: number;
  /** JSON object from the last line of the output. */
  readonly result: unknown;
}

export interface MeasureOptions {
  /** A file that may be written and removed. */
  readonly scratchFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** Exit codes that are as expected: 0 (done) and 3 (done, some messages rejected) unless said otherwise. */
  readonly exits?: readonly number[];
}

/** Exit codes of a command that sends and may read nothing back: 6 says so. */
export const sentExits = [0, 3, 6] as const;

/**
 * Runs a Node program of the repository and measures the whole process.
 *
 * @param args Script and arguments.
 * @throws if it ends with an exit code that was not expected.
 */
export async function measure(
  args: readonly string[],
  { scratchFile, env, exits = [0, 3] }: MeasureOptions,
): Promise<Measured> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['--import', usageModule, ...args], {
    cwd: root,
    env: { ...process.env, ...env, USAGE_FILE: scratchFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const wallMs = performance.now() - startedMs;
  if (!exits.includes(code as number)) throw new Error(`"${args.join(' ')}" ended with ${code}: ${output.slice(-500)}`);
  const usage = JSON.parse(readFileSync(scratchFile, 'utf8')) as Usage;
  rmSync(scratchFile);
  return { wallMs, ...usage, result: JSON.parse(output.trim().split('\n').at(-1)!) };
}
