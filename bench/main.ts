/**
 * How fast, with how much memory: `npm run bench` prints what each part costs beside what it should (`targets.ts`). `--large` adds rows
 * of a million messages, `--rounds N` measures N times and shows medians.
 *
 * With one of these flags, that is measured and nothing else: `--sources` exports of other platforms (`--megabytes`, 200 each), `--tables`
 * reading tables alone, `--sandbox` the sandbox as a server, `--verify` reading back 1,000,000 messages, `--no-change` runs over as many
 * that have little or nothing to do, `--undo` an import behind an undo, `--fleet` what sharing costs, `--start` the start of the packed
 * program, `--viewer` the viewer in a browser, `--desk` the desk in a browser, `--media` copying files (`--small`: a hundredth of
 * them), `--conversations` many small conversations (`--large`: a million).
 *
 * Rates depend on the machine; compare within a table.
 */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { conversationsTable } from './conversations.ts';
import { deskTable } from './desk.ts';
import { fleetTable } from './fleet.ts';
import { mediaTable } from './media.ts';
import { noChangeTable } from './no-change.ts';
import { prepareProgram } from './program.ts';
import { sandboxTable } from './sandbox.ts';
import { sourcesTable } from './sources.ts';
import { startTable } from './start.ts';
import { tablesTable } from './tables.ts';
import { targetsTable } from './targets.ts';
import { undoTable } from './undo.ts';
import { verifyTable } from './verify.ts';
import { viewerTable } from './viewer.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    ...{
      large: flag,
      small: flag,
      rounds: { type: 'string', default: '1' },
      megabytes: { type: 'string', default: '200' },
    },
    ...{ sources: flag, tables: flag, sandbox: flag, verify: flag, 'no-change': flag, undo: flag },
    ...{ fleet: flag, start: flag, viewer: flag, desk: flag, media: flag, conversations: flag },
  },
});
const rounds = atLeastOne('rounds', values.rounds);
const megabytes = atLeastOne('megabytes', values.megabytes);

const parts = {
  sources: () => sourcesTable(megabytes, rounds),
  tables: () => tablesTable(megabytes),
  sandbox: () => sandboxTable(),
  verify: () => verifyTable(),
  'no-change': () => noChangeTable(),
  undo: () => undoTable(),
  fleet: () => fleetTable(),
  start: () => startTable(),
  viewer: () => viewerTable(),
  desk: () => deskTable(),
  media: () => mediaTable(values.small ? 0.01 : 1),
  conversations: () => conversationsTable(values.large, rounds),
};
const wanted = (Object.keys(parts) as (keyof typeof parts)[]).find((name) => values[name]);

const gigabytes = Math.round(totalmem() / 1024 ** 3);
console.log(
  `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${gigabytes} GB; Node ${process.versions.node}; rounds: ${rounds}\n`,
);
await prepareProgram();
console.log(wanted ? await parts[wanted]() : await targetsTable(rounds, values.large));

function atLeastOne(name: string, value: string): number {
  if (!(Number(value) >= 1)) throw new Error(`Cannot use --${name} "${value}": expected 1 or more`);
  return Number(value);
}
