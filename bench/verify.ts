/**
 * Measures how long it takes to read everything back from a sandbox in another process: first as imported, then with
 * six messages changed behind the store's back. Verify must find those six and nothing else. `node bench/verify.ts`, or
 * with `--messages 100000` for a shorter run. Planning and importing them first takes most of the time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tamper } from '../test/scenes/tamper.ts';
import { importedStore, moveTo } from './imported-store.ts';
import { type Measured, measure } from './measure.ts';
import { apiKey, serve } from './sandbox.ts';
import { formatTable } from './table.ts';
import { program } from './program.ts';

/** The part of `--json` that is looked at. */
interface Result {
  readonly verify: Readonly<Record<string, unknown>>;
  readonly requests: { readonly list: number };
}

/** A row for each of the two, and one for a sample. */
export async function verifyTable(messageCount = 1_000_000): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const { data, store } = await importedStore(folder, messageCount);
  const served = await serve(data);
  try {
    moveTo(served.url, store);
    const run = (exits: readonly number[], ...args: string[]) =>
      measure([program, ...args, '--store', store, '--to', served.url, '--json', '--quiet'], {
        scratchFile: join(folder, 'usage'),
        env: { CHATFERRY_API_KEY: apiKey, CHATFERRY_STATE_DIR: join(folder, 'state') },
        exits,
      });
    const rows = [
      rowOf('verify', messageCount, await run([0], 'verify')),
      rowOf('verify --sample 1000', 1000, await run([0], 'verify', '--sample', '1000', '--seed', 'bench')),
    ];
    tamper(data);
    const tampered = await run([6], 'verify');
    assertFound(tampered.result as Result, messageCount);
    rows.push(rowOf('verify, five changes found', messageCount, tampered));
    return formatTable(['', 'messages', 'seconds', 'CPU, s', 'messages/s', 'peak RSS, MB', 'requests'], rows);
  } finally {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, messageCount: number, { wallMs, cpuMs, peakRssBytes, result }: Measured): string[] {
  return [
    name,
    count(messageCount),
    (wallMs / 1000).toFixed(1),
    (cpuMs / 1000).toFixed(1),
    count(messageCount / (wallMs / 1000)),
    count(peakRssBytes / 1e6),
    count((result as Result).requests.list),
  ];
}

function assertFound({ verify }: Result, messageCount: number): void {
  const expected = { same: messageCount - 3, missing: 1, extra: 0, different: 2, duplicated: 1, foreign: 1 };
  if (JSON.stringify(verify) === JSON.stringify(expected)) return;
  throw new Error(`Verify found ${JSON.stringify(verify)}, expected ${JSON.stringify(expected)}`);
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } });
  console.log(await verifyTable(Number(values.messages)));
}
