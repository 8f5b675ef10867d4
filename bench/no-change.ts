/**
 * Measures a run that has nothing to do, and one that has ten new messages at the end of a file: `npm run bench --
 * --no-change`, or `node bench/no-change.ts --messages 100000,1000000`. Uses one file of Chatferry's own records, and a
 * Slack export of 63,000 files as an archive and as a folder. Making and importing them first takes most of the time.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { startEcho } from './echo.ts';
import { importedStore, moveTo } from './imported-store.ts';
import { prepareInput } from './input.ts';
import { type Measured, measure, sentExits } from './measure.ts';
import { apiKey, serve } from './sandbox.ts';
import { formatTable } from './table.ts';
import { program } from './program.ts';

/** The part of `--json` that is looked at. */
interface Result {
  readonly read: number;
  readonly pending: number;
  readonly requests: { readonly import: number; readonly list: number };
}

const addedCount = 10;

/** Three rows for each size: a plan and an import of what is all there, and an import of ten messages more. */
export async function noChangeTable(messageCounts: readonly number[] = [100_000, 1_000_000]): Promise<string> {
  const rows: string[][] = [];
  const files = prepareInput(200_000);
  rows.push(
    ...(await rowsForFiles('63,000 files, ZIP', files.zip)),
    ...(await rowsForFiles('63,000 files', files.folder)),
  );
  for (const messageCount of messageCounts) rows.push(...(await rowsFor(messageCount)));
  return `${formatTable(
    ['', 'messages', 'seconds', 'CPU, s', 'peak RSS, MB', 'import requests', 'list requests'],
    rows,
  )}\ncommands: chatferry plan|import export.ndjson --store FILE --to URL --json --quiet [--yes]`;
}

async function rowsFor(messageCount: number): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const { path, data, store } = await importedStore(folder, messageCount);
  const served = await serve(data);
  try {
    moveTo(served.url, store);
    noteVerified(store);
    const run = (command: string, ...more: string[]) =>
      measure([program, command, path, '--store', store, '--to', served.url, '--json', '--quiet', ...more], {
        scratchFile: join(folder, 'usage'),
        env: { CHATFERRY_API_KEY: apiKey, CHATFERRY_STATE_DIR: join(folder, 'state') },
        exits: sentExits,
      });
    // The first plan behind a load makes the indexes that later ones need; what both find out is kept.
    await run('plan');
    await run('import', '--yes');
    const rows = [
      rowOf('plan, nothing changed', messageCount, 0, await run('plan')),
      rowOf('import, nothing changed', messageCount, 0, await run('import', '--yes')),
    ];
    appendFileSync(path, moreLines(messageCount));
    rows.push(rowOf('plan, ten messages more', messageCount + addedCount, 0, await run('plan')));
    const sent = await run('import', '--yes', '--no-verify');
    rows.push(rowOf('import, ten messages more, --no-verify', messageCount + addedCount, 1, sent));
    return rows;
  } finally {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A plan and an import of a Slack export that was imported before, at a server that answers everything with yes. */
async function rowsForFiles(what: string, path: string): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const echo = await startEcho();
  try {
    const common = ['--store', join(folder, 'chatferry.db'), '--to', echo.url, '--json', '--quiet'];
    const sending = ['--yes', '--no-verify', '--no-read-back'];
    const run = (command: string, ...more: string[]) =>
      measure([program, command, path, ...common, ...more], {
        scratchFile: join(folder, 'usage'),
        env: { CHATFERRY_API_KEY: 'echo', CHATFERRY_STATE_DIR: join(folder, 'state') },
        exits: sentExits,
      });
    for (let times = 0; times < 2; times++) await run('import', ...sending);
    return [
      rowOf(`plan, nothing changed, ${what}`, 200_000, 0, await run('plan')),
      rowOf(`import, nothing changed, ${what}`, 200_000, 0, await run('import', ...sending)),
    ];
  } finally {
    echo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As if everything had been read back, which `bench/verify.ts` measures. */
function noteVerified(store: string): void {
  const db = new Database(store);
  db.prepare(`UPDATE run SET verify = '{}' WHERE id = (SELECT max(id) FROM run)`).run();
  db.close();
}

function moreLines(messageCount: number): string {
  const lines = Array.from({ length: addedCount }, (_, index) => {
    const id = String(messageCount + index);
    const origin = { source: 'made-up', workspace: '', conversation: 'c0', id };
    const sentAtMs = 1_750_000_000_000 + index;
    return JSON.stringify({ kind: 'message', origin, sortKey: id, sentAtMs, author: 'u1', text: `New ${id}` });
  });
  return `${lines.join('\n')}\n`;
}

function rowOf(name: string, messageCount: number, importsMax: number, measured: Measured): string[] {
  const { wallMs, cpuMs, peakRssBytes, result } = measured;
  const { read, requests } = result as Result;
  if (read !== messageCount || requests.import > importsMax) {
    throw new Error(
      `"${name}": expected ${messageCount} messages and ${importsMax} import requests at most, found ${JSON.stringify(result)}`,
    );
  }
  return [
    name,
    messageCount.toLocaleString('en-US'),
    (wallMs / 1000).toFixed(2),
    (cpuMs / 1000).toFixed(2),
    Math.round(peakRssBytes / 1e6).toString(),
    String(requests.import),
    String(requests.list),
  ];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { messages: { type: 'string', default: '100000,1000000' } } });
  console.log(await noChangeTable(values.messages.split(',').map(Number)));
}
