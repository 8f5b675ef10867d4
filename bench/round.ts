import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Echo, startEcho } from './echo.ts';
import type { Input } from './input.ts';
import { type Measured, measure, sentExits } from './measure.ts';
import type { Usage } from './usage.ts';

/** One measured program. */
export interface Figures extends Usage {
  readonly name: string;
  /** Messages that it went through. */
  readonly messageCount: number;
  readonly wallMs: number;
  /** Import requests that arrived, and the least that so many messages need. */
  readonly requests?: { readonly sent: number; readonly least: number };
}

/** The part of `--json` that is looked at. */
interface Result {
  readonly read: number;
}

const messagesPerRequest = 50;

/** The commands of a round, as they are typed. */
export const commands = {
  floor: 'node bench/floor.ts FOLDER',
  plan: 'chatferry plan EXPORT.zip --store FILE --to URL --json --quiet',
  import: 'chatferry import EXPORT.zip --store FILE --to URL --json --quiet --yes --no-verify --no-read-back',
};

/** The least that a program would have to do. One pass before it, unmeasured, brings the files into memory. */
export async function measureFloor({ folder }: Input): Promise<Figures> {
  return inScratch(async (scratch) => {
    const options = { scratchFile: join(scratch, 'usage'), env: {} };
    const args = ['bench/floor.ts', folder];
    await measure(args, options);
    const measured = await measure(args, options);
    const { messages } = measured.result as { messages: number };
    return { name: 'floor', messageCount: messages, ...figuresOf(measured) };
  });
}

/** Plan, import, import again, import after a change: one export, one store, one destination. */
export async function measureRound(input: Input): Promise<Figures[]> {
  const echo = await startEcho();
  try {
    return await inScratch((scratch) => measureCommands(input, echo, scratch));
  } finally {
    echo.stop();
  }
}

async function measureCommands(input: Input, echo: Echo, scratch: string): Promise<Figures[]> {
  const exportPath = join(scratch, 'export.zip');
  const options = {
    scratchFile: join(scratch, 'usage'),
    env: { CHATFERRY_API_KEY: 'echo', CHATFERRY_STATE_DIR: join(scratch, 'state') },
    exits: sentExits,
  };
  const common = ['--store', join(scratch, 'chatferry.db'), '--to', echo.url, '--json', '--quiet'];

  const run = async (name: string, command: string, ...flags: string[]): Promise<Figures> => {
    const before = await echo.stats();
    const measured = await measure(['bin/chatferry.mjs', command, exportPath, ...common, ...flags], options);
    const after = await echo.stats();
    const sent = after.importRequests - before.importRequests;
    const least = Math.ceil((after.messages - before.messages) / messagesPerRequest);
    const { read } = measured.result as Result;
    return { name, messageCount: read, ...figuresOf(measured), requests: { sent, least } };
  };

  copyFileSync(input.zip, exportPath);
  const plan = await run('plan', 'plan');
  const first = await run('import, planned before', 'import', '--yes', '--no-verify', '--no-read-back');
  const unchanged = await run('import again, nothing changed', 'import', '--yes', '--no-verify', '--no-read-back');
  copyFileSync(input.changedZip, exportPath);
  const changed = await run('import again, one day file changed', 'import', '--yes', '--no-verify', '--no-read-back');
  return [plan, first, unchanged, changed];
}

const figuresOf = ({ wallMs, cpuMs, peakRssBytes }: Measured) => ({
  wallMs,
  cpuMs,
  peakRssBytes,
});

async function inScratch<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
