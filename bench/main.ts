/**
 * How fast, with how much memory, in how many requests: `npm run bench`.
 *
 * `--verify` measures reading back 1,000,000 messages, `--no-change` runs over as many that have little or nothing to do, `--undo` an import
 * behind an undo, `--fleet` what sharing costs, `--start` the start of the packed program, `--viewer` the sandbox's viewer in a browser,
 * `--media` copying files (`--small`: a hundredth of them), `--sources` exports of other platforms (`--megabytes`, 200 each), and nothing
 * else.
 * `--rounds N` repeats everything and shows the round whose time is the median, `--large` adds 800,000 messages and what the flags above
 * measure, and reads tables of 2 GB instead of 200 MB.
 * Rates depend on the machine; compare the share of the floor, which is taken in the same run.
 */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { fleetTable } from './fleet.ts';
import { goalsTable } from './goals.ts';
import { prepareInput } from './input.ts';
import { mediaTable } from './media.ts';
import { commands, type Figures, measureFloor, measureRound } from './round.ts';
import { sandboxTable } from './sandbox.ts';
import { sourcesTable } from './sources.ts';
import { noChangeTable } from './no-change.ts';
import { startTable } from './start.ts';
import { formatTable } from './table.ts';
import { tablesTable } from './tables.ts';
import { undoTable } from './undo.ts';
import { verifyTable } from './verify.ts';
import { viewerTable } from './viewer.ts';

const { values } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    'no-change': { type: 'boolean', default: false },
    undo: { type: 'boolean', default: false },
    fleet: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    sources: { type: 'boolean', default: false },
    viewer: { type: 'boolean', default: false },
    media: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
  },
});
const roundCount = Number(values.rounds);
if (!(roundCount >= 1)) throw new Error(`Cannot repeat "${values.rounds}" rounds: expected 1 or more`);
const megabytes = Number(values.megabytes);
if (!(megabytes >= 1)) throw new Error(`Cannot make "${values.megabytes}" megabytes: expected 1 or more`);
const alone = [
  [values.verify, verifyTable],
  [values['no-change'], noChangeTable],
  [values.undo, undoTable],
  [values.fleet, () => fleetTable()],
  [values.start, startTable],
  [values.viewer, () => viewerTable()],
  [values.media, () => mediaTable(values.small ? 0.01 : 1)],
  [values.sources, () => sourcesTable(megabytes, roundCount)],
] as const;
const wanted = alone.find(([isWanted]) => isWanted);
if (wanted) {
  console.log(await wanted[1]());
  process.exit();
}

const inputs = [prepareInput(200_000), ...(values.large ? [prepareInput(800_000)] : [])];

console.log(
  `Machine: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${gigabytes(totalmem())} GB; Node ${process.versions.node}`,
);
for (const { description } of inputs) console.log(`Input: Slack export, ${description}`);
console.log(`Rounds: ${roundCount}${roundCount > 1 ? ', the median by time is shown' : ''}\n`);

const rounds: Figures[][] = [];
for (let round = 0; round < roundCount; round++) {
  const figures = [await measureFloor(inputs[0]!)];
  for (const input of inputs) figures.push(...(await measureRound(input)));
  rounds.push(figures);
}

const shown = rounds[0]!.map((_, row) => medianByTime(rounds.map((figures) => figures[row]!)));
const floorRate = rateOf(shown[0]!);
console.log(
  formatTable(
    ['', 'messages', 'seconds', 'CPU, s', 'messages/s', 'of the floor', 'peak RSS, MB', 'import requests', 'least'],
    shown.map((figures) => [
      figures.name,
      count(figures.messageCount),
      (figures.wallMs / 1000).toFixed(2),
      (figures.cpuMs / 1000).toFixed(2),
      ...(isNominal(figures) ? ['', ''] : [count(rateOf(figures)), `${(rateOf(figures) / floorRate).toFixed(2)}x`]),
      count(figures.peakRssBytes / 1e6),
      figures.requests ? count(figures.requests.sent) : '',
      figures.requests ? count(figures.requests.least) : '',
    ]),
  ),
);
console.log(`\n${goalsTable(rounds)}`);
console.log(`\n${await tablesTable(values.large ? 2000 : 200)}\n\n${await sourcesTable(megabytes, roundCount)}\n`);
console.log(`${await sandboxTable()}\n\n${await undoTable()}\n`);
if (values.large) console.log(`${await verifyTable()}\n\n${await noChangeTable()}\n\n${await startTable()}\n`);
for (const line of growthLines(shown)) console.log(line);
console.log(`floor: ${commands.floor}\nplan: ${commands.plan}\nimport: ${commands.import}`);
console.log(
  'Seconds are those of the whole process. URL is a server in a process of its own that parses and echoes each message;\nthe import requests are its count.',
);

/** A second import goes through no message, so that a rate would say nothing. */
function isNominal({ name }: Figures): boolean {
  return name.startsWith('import again');
}

function rateOf({ messageCount, wallMs }: Figures): number {
  return messageCount / (wallMs / 1000);
}

function medianByTime(candidates: readonly Figures[]): Figures {
  return candidates.toSorted((a, b) => a.wallMs - b.wallMs)[Math.floor(candidates.length / 2)]!;
}

/** Lines with the time of the same command for the larger export, as a multiple. */
function growthLines(shown: readonly Figures[]): string[] {
  return shown.flatMap((small) => {
    const large = shown.find(({ name, messageCount }) => name === small.name && messageCount > 2 * small.messageCount);
    if (!large) return [];
    const times = (of: 'peakRssBytes' | 'messageCount') => `${(large[of] / small[of]).toFixed(2)}x`;
    return [`${small.name}: ${times('peakRssBytes')} the memory for ${times('messageCount')} the messages`];
  });
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 3);
}
