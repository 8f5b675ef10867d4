/**
 * Measures an import after an undo: `npm run bench -- --undo`, or `node bench/undo.ts --messages 100000`. It imports
 * into the embedded sandbox and reads everything back, so that the first and the second import do the same work.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { largeExportLines } from './large-export.ts';
import { measure } from './measure.ts';
import { formatTable } from './table.ts';
import { program } from './program.ts';

const conversationCount = 1000;

/** A row for each command; the second import as a multiple of the first. */
export async function undoTable(messageCount = 20_000): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  try {
    const path = join(folder, 'export.ndjson');
    const lines = largeExportLines({ messages: messageCount, conversations: conversationCount });
    await pipeline(Readable.from(lines), createWriteStream(path));
    const run = (...args: string[]) =>
      measure([program, ...args, '--store', join(folder, 'chatferry.db'), '--json', '--quiet', '--yes'], {
        scratchFile: join(folder, 'usage'),
        env: { CHATFERRY_STATE_DIR: join(folder, 'state') },
      });
    const first = await run('import', path);
    const undone = await run('undo');
    const again = await run('import', path);
    const rows = [
      ['import', first],
      ['undo', undone],
      ['import again', again],
    ] as const;
    return formatTable(
      [`${messageCount.toLocaleString('en-US')} messages`, 'seconds', 'CPU, s', 'of the first import', 'list requests'],
      rows.map(([name, { wallMs, cpuMs, result }]) => [
        name,
        (wallMs / 1000).toFixed(2),
        (cpuMs / 1000).toFixed(2),
        `${(cpuMs / first.cpuMs).toFixed(2)}x`,
        String((result as { requests?: { list: number } }).requests?.list ?? ''),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { messages: { type: 'string', default: '20000' } } });
  console.log(await undoTable(Number(values.messages)));
}
