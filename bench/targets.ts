/**
 * What each part of the program costs, beside what it should: `npm run bench`. All rows of a round are measured within minutes of each
 * other, because a shared machine is half as fast at times; the table has the median of each row.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { databaseMapping, prepareDatabases } from './database-inputs.ts';
import { type Echo, startEcho } from './echo.ts';
import { type Input, prepareInput } from './input.ts';
import { type Measured, measure, sentExits } from './measure.ts';
import { median } from './median.ts';
import { program } from './program.ts';
import { prepareExport } from './sources.ts';
import { formatTable } from './table.ts';
import { prepareTable, tableBindings } from './tables.ts';

/** CPU of all threads of the process. */
interface Taken {
  readonly cpuMs: number;
  readonly peakRssBytes?: number;
  /** Messages that were gone through; none where the whole is what counts. */
  readonly messages?: number;
}

/** In the order of the table. CPU in µs a message, or in ms of the whole; memory in MiB. */
const targets: Readonly<Record<string, string>> = {
  'floor: read, parse, stringify': '',
  'plan, Slack, 63,168 files': '25 µs, 190 MiB',
  'plan, telegram, one file': '10 µs',
  'plan, whatsapp, one file': '14 µs',
  'plan, csv, one file': '12 µs',
  'plan, json, one file': '9 µs',
  'import, verified, lean server': '45 µs, 220 MiB',
  'import, embedded sandbox': '70 µs',
  verify: '20 µs',
  'import, nothing to do': '280 ms',
  'detection, 63,168 files': '150 ms',
  'plan, Slack, 329,361 files': '210 MiB',
  'plan, SQLite with children': 'twice csv',
  'plan, pg_dump with children': 'twice csv',
};

const megabytes = 50;

/** @param isLarge Adds the rows of a million messages, some minutes a round. */
export async function targetsTable(rounds: number, isLarge: boolean): Promise<string> {
  const taken = new Map<string, Taken[]>();
  const take = (name: string, figures: Taken) => taken.set(name, [...(taken.get(name) ?? []), figures]);
  for (let round = 0; round < rounds; round++) {
    for await (const [name, figures] of oneRound(prepareInput(200_000))) take(name, figures);
    if (isLarge) for await (const [name, figures] of largeRows()) take(name, figures);
  }
  const floor = perMessage(taken.get('floor: read, parse, stringify')!);
  const rows = Object.entries(targets).flatMap(([name, wanted]) => {
    const all = taken.get(name);
    if (!all) return [];
    const perOne = perMessage(all);
    const cost = Number.isNaN(perOne)
      ? `${Math.round(median(all.map(({ cpuMs }) => cpuMs)))} ms`
      : `${perOne.toFixed(1)} µs`;
    const inFloors = Number.isNaN(perOne) ? '' : `${(perOne / floor).toFixed(1)}x`;
    const messages = all[0]!.messages?.toLocaleString('en-US') ?? '';
    return [[name, messages, cost, inFloors, mebibytes(all), wanted]];
  });
  return formatTable(['CPU of the whole process', 'messages', 'reached', 'floors', 'peak, MiB', 'wanted'], rows);
}

const perMessage = (all: readonly Taken[]): number =>
  median(all.map(({ cpuMs, messages = Number.NaN }) => (cpuMs * 1000) / messages));

const mebibytes = (all: readonly Taken[]): string =>
  all.some(({ peakRssBytes }) => peakRssBytes === undefined)
    ? ''
    : String(Math.round(median(all.map(({ peakRssBytes }) => peakRssBytes!)) / 2 ** 20));

type Row = readonly [name: string, figures: Taken];

async function* oneRound(input: Input): AsyncGenerator<Row> {
  const scratch = new Scratch();
  const echo = await startEcho();
  try {
    const floor = await scratch.run(['bench/floor.ts', input.folder]);
    yield ['floor: read, parse, stringify', { ...floor, messages: input.messageCount }];
    yield* slackRows(input, echo, scratch);
    yield* oneFileRows(scratch);
    const { result } = await scratch.run(['bench/detect.ts', input.zip]);
    yield ['detection, 63,168 files', { cpuMs: (result as { readonly cpuMs: number }).cpuMs }];
  } finally {
    echo.stop();
    scratch.remove();
  }
}

async function* slackRows({ zip, messageCount }: Input, { url }: Echo, scratch: Scratch): AsyncGenerator<Row> {
  const [planned, lean, embedded] = ['planned.db', 'lean.db', 'embedded.db'].map((name) =>
    join(scratch.folder, name),
  ) as [string, string, string];
  yield ['plan, Slack, 63,168 files', { ...(await scratch.plan(zip, planned, '--to', url)), messages: messageCount }];
  for (const copy of [lean, embedded]) copyFileSync(planned, copy);
  const sent = async (store: string, to: string) => {
    const figures = await scratch.chatferry('import', zip, '--store', store, '--to', to, '--yes');
    return { ...figures, messages: (figures.result as { readonly imported: number }).imported };
  };
  const first = await sent(lean, url);
  yield ['import, verified, lean server', first];
  const { messages } = first;
  yield ['verify', { ...(await scratch.chatferry('verify', '--store', lean, '--to', url)), messages }];
  const { cpuMs, peakRssBytes } = await sent(lean, url);
  yield ['import, nothing to do', { cpuMs, peakRssBytes }];
  yield ['import, embedded sandbox', await sent(embedded, 'sandbox')];
}

async function* oneFileRows(scratch: Scratch): AsyncGenerator<Row> {
  for (const name of ['telegram', 'whatsapp'] as const) {
    const { path, messages } = await prepareExport(name, megabytes);
    yield [`plan, ${name}, one file`, { ...(await scratch.plan(path, scratch.file(), '--source', name)), messages }];
  }
  const mapping = scratch.file('.yaml');
  writeFileSync(mapping, stringify({ source: tableBindings }));
  for (const [name, format] of [
    ['csv', 'csv'],
    ['json', 'ndjson'],
  ] as const) {
    const figures = await scratch.plan(
      prepareTable(format, megabytes),
      scratch.file(),
      '--source',
      name,
      '--mapping',
      mapping,
    );
    yield [`plan, ${name}, one file`, { ...figures, messages: (figures.result as { readonly read: number }).read }];
  }
}

async function* largeRows(): AsyncGenerator<Row> {
  const scratch = new Scratch();
  try {
    const { zip, messageCount } = prepareInput(800_000);
    yield ['plan, Slack, 329,361 files', { ...(await scratch.plan(zip, scratch.file())), messages: messageCount }];
    const mapping = scratch.file('.yaml');
    writeFileSync(mapping, databaseMapping());
    const { sqlite, postgres, messages } = prepareDatabases();
    for (const [name, path] of [
      ['SQLite', sqlite],
      ['pg_dump', postgres],
    ] as const) {
      const figures = await scratch.plan(path, scratch.file(), '--source', 'database', '--mapping', mapping);
      yield [`plan, ${name} with children`, { ...figures, messages }];
    }
  } finally {
    scratch.remove();
  }
}

/** A folder for stores, and what is run in it. */
class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  #files = 0;

  file(extension = '.db'): string {
    return join(this.folder, `${++this.#files}${extension}`);
  }

  plan(path: string, store: string, ...flags: string[]): Promise<Measured> {
    return this.chatferry('plan', path, '--store', store, ...flags);
  }

  chatferry(...args: string[]): Promise<Measured> {
    return this.run([program, ...args, '--json', '--quiet']);
  }

  run(args: readonly string[]): Promise<Measured> {
    const env = { CHATFERRY_API_KEY: 'echo', CHATFERRY_STATE_DIR: join(this.folder, 'state') };
    return measure(args, { scratchFile: join(this.folder, 'usage'), env, exits: sentExits });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
