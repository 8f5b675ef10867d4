/**
 * Measures the cost of starting the packed program, before any long work: `npm run bench -- --start`. The program is
 * packed and installed as users get it. Reports the CPU time of the whole process, the median of ten.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packInto } from '../scripts/package.ts';
import { formatTable } from './table.ts';

const times = 10;
const sample = 'node_modules/chatferry/samples/slack/every-feature/export';

export async function startTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    execFileSync('npm', ['install', await packInto(folder)], { cwd: folder, stdio: ['ignore', 2, 2] });
    const forget = () => rmSync(join(folder, 'cache'), { recursive: true, force: true });
    const renew = () => {
      for (const name of ['s.db', 's.db.lock', 's.report', 's.sandbox.db'])
        rmSync(join(folder, name), { recursive: true, force: true });
    };
    const cpuOf = (args: readonly string[], before = () => {}) => medianCpu(folder, args, before);
    const store = ['--store', 's.db', '--quiet'];
    const afterImport = () => {
      cpuOf(['import', sample, ...store], renew);
      return cpuOf(['import', sample, ...store]);
    };
    const rows = [
      ['version', cpuOf(['version'])],
      ['--help', cpuOf(['--help'])],
      ['plan of a sample, new store', cpuOf(['plan', sample, ...store], renew)],
      ['the same, nothing compiled yet', cpuOf(['plan', sample, ...store], () => [renew(), forget()])],
      ['import, nothing to do', afterImport()],
    ] as const;
    return formatTable(
      ['', 'CPU, s'],
      rows.map(([name, seconds]) => [name, seconds.toFixed(3)]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Written down by the process itself when it ends. */
const usage = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeFileSync('usage',String((user+system)/1e6))})`;

/** One start that is not counted fills the cache of compiled code. */
function medianCpu(folder: string, args: readonly string[], before: () => void): number {
  const seconds = Array.from({ length: times + 1 }, () => {
    before();
    execFileSync(process.execPath, ['--import', usage, 'node_modules/chatferry/bin/chatferry.mjs', ...args], {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
      stdio: 'ignore',
    });
    return Number(readFileSync(join(folder, 'usage'), 'utf8'));
  });
  return seconds.slice(1).sort((a, b) => a - b)[times / 2]!;
}
