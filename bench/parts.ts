/**
 * What planning in parts costs besides planning whole: `npm run bench -- --parts`, or
 * `node bench/parts.ts --messages 400000 --parts 2 --rounds 3`: a Slack export as archive, whole and in parts, one plan after the other.
 * CPU seconds of all plans together, process starts included; whole and in parts take turns, and the median of the rounds is shown.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareInput } from './input.ts';
import { type Measured, measure } from './measure.ts';
import { median } from './median.ts';
import { formatTable } from './table.ts';

interface Options {
  readonly messageCount?: number;
  readonly parts?: number;
  readonly rounds?: number;
}

/** One row without reading threads, one with one. */
export async function partsTable({ messageCount = 400_000, parts = 2, rounds = 3 }: Options = {}): Promise<string> {
  const input = prepareInput(messageCount);
  const rows: string[][] = [];
  for (const threads of [0, 1]) {
    const found: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      found.push(await measureRound(input.zip, parts, threads));
      console.error(`Round ${round + 1} of ${rounds}, ${threads} reading threads`);
    }
    const shown = (of: (round: Round) => number, digits: number) => median(found.map(of)).toFixed(digits);
    rows.push([
      `${threads}`,
      shown(({ whole }) => whole.cpuMs / 1000, 1),
      shown(({ inParts }) => sumOf(inParts) / 1000, 1),
      shown(({ whole, inParts }) => sumOf(inParts) / whole.cpuMs, 2),
      shown(({ inParts }) => Math.max(...inParts.map(({ cpuMs }) => cpuMs)) / 1000, 1),
    ]);
  }
  const columns = ['reading threads', 'whole, CPU s', `${parts} parts, CPU s`, 'share', 'the greater part, CPU s'];
  return `Input: Slack export, ${input.description}; ${rounds} rounds\n\n${formatTable(columns, rows)}`;
}

interface Round {
  readonly whole: Measured;
  readonly inParts: readonly Measured[];
}

async function measureRound(zip: string, parts: number, threads: number): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  // Whoever plans parts knows the source: recognising it takes as long as listing the archive.
  const options = ['--source', 'slack', '--threads', String(threads), '--json', '--quiet'];
  const plan = (name: string, ...more: string[]) =>
    measure(['bin/chatferry.mjs', 'plan', zip, '--store', join(folder, `${name}.db`), ...options, ...more], {
      scratchFile: join(folder, 'usage'),
      env: { CHATFERRY_STATE_DIR: join(folder, 'state') },
    });
  try {
    const whole = await plan('whole');
    const inParts: Measured[] = [];
    for (let number = 1; number <= parts; number++)
      inParts.push(await plan(`part-${number}`, '--part', `${number}/${parts}`));
    assertSame(whole, inParts);
    return { whole, inParts };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sumOf = (measured: readonly Measured[]): number => measured.reduce((sum, { cpuMs }) => sum + cpuMs, 0);

function assertSame(whole: Measured, inParts: readonly Measured[]): void {
  const readBy = ({ result }: Measured) => (result as { readonly read: number }).read;
  const read = inParts.reduce((sum, part) => sum + readBy(part), 0);
  if (read !== readBy(whole)) throw new Error(`The parts have ${read} messages, the whole ${readBy(whole)}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '400000' },
      parts: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const [messageCount, parts, rounds] = [Number(values.messages), Number(values.parts), Number(values.rounds)];
  console.log(await partsTable({ messageCount, parts, rounds }));
}
