import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type Ended, run } from '../cli/process.ts';

interface LimitedHeap {
  readonly task: TestContext['task'];
  readonly folder: string;
  /** Size of V8's old generation, in MiB. Strings and objects count, Buffers do not. */
  readonly heapMiB: number;
  /** Name of the figure that the peak becomes. Tests of one file need different names. */
  readonly figure?: string;
}

/** Only Linux reports the peak. Its resource usage would include the process that started it. */
const peakProbe = `import { existsSync, readFileSync } from 'node:fs';
const statusPath = '/proc/self/status';
process.on('exit', () => {
  const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(existsSync(statusPath) ? readFileSync(statusPath, 'latin1') : '') ?? [];
  if (peak) process.stderr.write('peak ' + peak + ' KiB\\n');
});`;

/**
 * Runs the program in a process of its own with a limited heap.
 *
 * How to choose the limit: find the smallest at which the program ends, and add half to it, because near the smallest the garbage
 * collector takes most of the time. The input must need three times the limit if the program collects all of it.
 *
 * The peak of resident memory is a figure only. It depends on when the garbage collector runs, so no test compares it with a bound.
 *
 * @throws Error if the program runs out of memory.
 */
export async function runInHeap(
  args: readonly string[],
  { task, folder, heapMiB, figure = 'peakMiB' }: LimitedHeap,
): Promise<Pick<Ended, 'code' | 'stdout'>> {
  const probePath = join(folder, 'peak-probe.mjs');
  writeFileSync(probePath, peakProbe);
  const { code, signal, stdout, stderr } = await run(args, {
    folder,
    env: { NODE_OPTIONS: `--import ${probePath} --max-old-space-size=${heapMiB}` },
  });
  if (stderr.includes('heap out of memory'))
    throw new Error(`"chatferry ${args.join(' ')}" ran out of memory: ${heapMiB} MiB of heap (${code ?? signal})`);
  const peaks = [...stderr.matchAll(/^peak (\d+) KiB$/gm)].map(([, peakKiB]) => Math.round(Number(peakKiB) / 1024));
  if (peaks.length > 0) task.meta.figures = { [figure]: Math.max(...peaks) };
  return { code, stdout };
}
