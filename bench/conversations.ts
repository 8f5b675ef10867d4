/**
 * The cost of a conversation: `npm run bench -- --conversations`, half a minute; `--large` adds a million small ones, some minutes. The same
 * messages in a few conversations and in one each, as in-app support has them, in a file of Chatferry's own records.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startEcho } from './echo.ts';
import { type Measured, measure, sentExits } from './measure.ts';
import { program } from './program.ts';
import { formatTable } from './table.ts';

interface Shape {
  readonly messages: number;
  readonly conversations: number;
}

const people = 1000;
/** 2024-03-01. */
const firstMs = 1_709_251_200_000;

/** A row for each shape, with the CPU seconds of each command, and its peak memory. */
export async function conversationsTable(isLarge: boolean, rounds: number): Promise<string> {
  const shapes: Shape[] = [
    { messages: 60_000, conversations: 500 },
    { messages: 60_000, conversations: 60_000 },
    ...(isLarge ? [{ messages: 1_500_000, conversations: 1_000_000 }] : []),
  ];
  const rows: string[][] = [];
  for (const shape of shapes) rows.push(await rowOf(shape, isLarge ? 1 : rounds));
  return `${formatTable(['messages', 'conversations', ...steps.flatMap((step) => [`${step}, CPU s`, 'MiB'])], rows)}\ncommands: chatferry plan|import|status|report --store FILE --to URL --quiet, the best of all rounds`;
}

const steps = ['plan', 'plan again', 'import again', 'status', 'report'] as const;

async function rowOf(shape: Shape, rounds: number): Promise<string[]> {
  const best = new Map<string, Measured>();
  for (let round = 0; round < rounds; round++) {
    for (const [step, measured] of await measureShape(shape))
      if (measured.cpuMs < (best.get(step)?.cpuMs ?? Number.POSITIVE_INFINITY)) best.set(step, measured);
  }
  const cells = steps.flatMap((step) => {
    const { cpuMs, peakRssBytes } = best.get(step)!;
    return [(cpuMs / 1000).toFixed(2), Math.round(peakRssBytes / 1024 ** 2).toString()];
  });
  return [shape.messages, shape.conversations].map((count) => count.toLocaleString('en-US')).concat(cells);
}

/** The server answers everything with yes: what it costs to send is measured elsewhere. */
async function measureShape(shape: Shape): Promise<Map<string, Measured>> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const echo = await startEcho();
  try {
    const path = join(folder, 'export.ndjson');
    await pipeline(Readable.from(exportLines(shape)), createWriteStream(path));
    const run = (command: string, ...more: string[]) =>
      measure([program, command, ...more, '--store', join(folder, 'chatferry.db'), '--json'], {
        scratchFile: join(folder, 'usage'),
        env: { CHATFERRY_API_KEY: 'echo', CHATFERRY_STATE_DIR: join(folder, 'state') },
        exits: sentExits,
      });
    const planning = [path, '--to', echo.url, '--quiet'];
    const sending = [...planning, '--yes', '--no-verify', '--no-read-back'];
    const plan = await run('plan', ...planning);
    await run('import', ...sending);
    // The first plan behind a load makes the indexes that later ones need.
    await run('import', ...sending);
    return new Map([
      ['plan', plan],
      ['plan again', await run('plan', ...planning)],
      ['import again', await run('import', ...sending)],
      ['status', await run('status')],
      ['report', await run('report')],
    ]);
  } finally {
    echo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Always the same lines. Messages of one conversation come one after the other. */
function* exportLines({ messages, conversations }: Shape): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({ kind: 'chatferry', version: 1, source: 'made-up' });
  for (let index = 0; index < people; index++) yield line({ kind: 'user', id: `u${index}`, name: `Person ${index}` });
  for (let number = 0; number < messages; number++) {
    const conversation = Math.floor((number * conversations) / messages);
    yield line({
      kind: 'message',
      origin: { source: 'made-up', workspace: '', conversation: `ticket-${conversation}`, id: String(number) },
      sortKey: String(number).padStart(9, '0'),
      sentAtMs: firstMs + number * 1700,
      author: `u${(number * 7 + conversation) % people}`,
      text: `Message ${number} of ticket ${conversation}, ${'with some words '.repeat(number % 6)}to the end`,
    });
  }
}
