/**
 * Measures what a start of the packed program costs, before any long work: `npm run bench -- --start`. The program is packed and
 * installed as users get it. A cost is the CPU time of the whole process, the least of ten rounds that run every command once: on a machine
 * that does other things, the least is the steadiest. And how many empty programs (`node -e 1`) of the same rounds that is.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packInto } from '../scripts/package.ts';
import { formatTable } from './table.ts';

const rounds = 10;
const sample = 'node_modules/chatferry/samples/slack/every-feature/export';
const store = ['--store', 's.db', '--quiet'];

/** In an order in which each finds what it needs. `starts` are wanted at most. */
const commands: Readonly<
  Record<string, { readonly args: readonly string[]; readonly wanted?: number; isFirst?: true }>
> = {
  '--version': { args: ['--version'] },
  '--help': { args: ['--help'] },
  'inspect, a sample': { args: ['inspect', sample], wanted: 3.5 },
  'plan, new store': { args: ['plan', sample, ...store], wanted: 5, isFirst: true },
  'plan, nothing changed': { args: ['plan', sample, ...store] },
  'import into the sandbox, new store': { args: ['import', sample, ...store], wanted: 6, isFirst: true },
  'import, nothing to do': { args: ['import', sample, ...store] },
  status: { args: ['status', '--store', 's.db'], wanted: 2.5 },
  report: { args: ['report', ...store.slice(0, 2)] },
  verify: { args: ['verify', ...store] },
};

export async function startTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    execFileSync('npm', ['install', await packInto(folder)], { cwd: folder, stdio: ['ignore', 2, 2] });
    const least = new Map<string, number>();
    const note = (name: string, args: readonly string[], isCounted: boolean) => {
      const seconds = cpuOf(folder, args);
      if (isCounted) least.set(name, Math.min(seconds, least.get(name) ?? Infinity));
    };
    // The first round fills the cache of compiled code.
    for (let round = 0; round <= rounds; round++) {
      note('node -e 1', ['-e', '1'], round > 0);
      for (const [name, { args, isFirst }] of Object.entries(commands)) {
        for (const file of isFirst ? ['s.db', 's.db.lock', 's.report', 's.sandbox.db'] : [])
          rmSync(join(folder, file), { recursive: true, force: true });
        note(name, ['node_modules/chatferry/bin/chatferry.mjs', ...args], round > 0);
      }
    }
    const one = least.get('node -e 1')!;
    return formatTable(
      ['', 'CPU, s', 'starts of Node', 'wanted'],
      [...least].map(([name, seconds]) => [
        name,
        seconds.toFixed(3),
        (seconds / one).toFixed(1),
        String(commands[name]?.wanted ?? ''),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Written down by the process itself when it ends. */
const usage = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeFileSync('usage',String((user+system)/1e6))})`;

function cpuOf(folder: string, args: readonly string[]): number {
  execFileSync(process.execPath, ['--import', usage, ...args], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
    stdio: 'ignore',
  });
  return Number(readFileSync(join(folder, 'usage'), 'utf8'));
}
