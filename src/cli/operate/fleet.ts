import type { Command } from 'commander';
import type { ChangedUnit, UnitChange } from '../../fleet/change-units.ts';
import type { Fleet } from '../../fleet/open-fleet.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { describeFleet } from '../terminal/describe-fleet.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print, printResult } from '../terminal/print.ts';
import { addPlace } from './fleet-place.ts';
import { docsLink } from '../../lib/docs-link.ts';

export function addFleet(program: Command, host: Host): void {
  const fleet = program
    .command('fleet')
    .description(
      `Shows and changes the state that many workers share. ${docsLink('guides/operate/fleet')} is its handbook.`,
    );
  addInit(fleet, host);
  addStatus(fleet, host);
  addChange(fleet, host, 'pause', 'let units rest: what runs is stopped and copied, what waits stays');
  addChange(fleet, host, 'resume', 'let paused units go on');
  addChange(fleet, host, 'retry', 'let dead and stopped units go on, after the cause was put right');
  addChange(fleet, host, 'drop', 'remove units, with their totals and copies; messages at the destination stay there');
  addOpen(fleet, host);
}

/** Loaded on demand: no other command pays for it. */
async function atFleet<T>(
  command: Command,
  host: Host,
  makes: boolean,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const [{ loadFleet }, { openFleet }] = await Promise.all([
    import('../../fleet/fleet-config.ts'),
    import('../../fleet/open-fleet.ts'),
  ]);
  const { config: configPath, embedded } = command.opts<{ config?: string; embedded?: string }>();
  const config = loadFleet({ env: host.env, configPath, embedded });
  const fleet = await openFleet(config, { env: host.env, works: false, makes });
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}

function addInit(fleet: Command, host: Host): void {
  const command = fleet
    .command('init')
    .summary('make tables and queues in the database; again after an update')
    .description(
      'Makes the tables and queues of a fleet in its PostgreSQL, or brings them up to date. Harmless where everything is there.',
    );
  addOptions(addPlace(command), ['json']);
  addAction(command, host, async (options) =>
    atFleet(command, host, true, async ({ database, location }) => {
      const result = { command: 'fleet init', database: database.name, files: location.name, exit: exitCodes.done };
      const ready = `Ready     ${database.name}, copies at ${location.name}`;
      return printResult(host, options, result, `${ready}\nNext      ${afterInit}`);
    }),
  );
}

const afterInit = 'chatferry worker   (on every machine), then chatferry submit';

const watchMs = 2_000;

function addStatus(fleet: Command, host: Host): void {
  const command = fleet
    .command('status')
    .summary('status of workers and units: messages, quota, due work, units that need your action')
    .description('Shows workers and units. Exit 0; 3 if a unit is dead or stopped and needs your action.')
    .option('--tenant <NAME>', 'Only units of this tenant')
    .option('--watch', 'Draw it again every 2 s until it is stopped; with --json print an object each time');
  addOptions(addPlace(command), ['json']);
  addAction(command, host, async ({ json }, around) => {
    const { tenant, watch: isWatched = false } = command.opts<{ tenant?: string; watch?: boolean }>();
    // Nothing is sent here: nothing has to be said of it when it is stopped.
    if (isWatched) around.mute();
    return await atFleet(command, host, false, async (fleet) => {
      for (;;) {
        const exit = await showStatus(fleet, { tenant, json, isWatched }, around);
        if (isWatched) await around.clock.sleep(watchMs, around.stopping).catch(() => {});
        if (!isWatched || around.stopping.aborted || host.stdout.destroyed) return exit;
      }
    });
  });
}

async function showStatus(
  fleet: Fleet,
  shown: { readonly tenant: string | undefined; readonly json: boolean; readonly isWatched: boolean },
  { host, clock, signal }: CommandContext,
): Promise<number> {
  const [{ fleetOverview }, { filesFault }] = await Promise.all([
    import('../../fleet/fleet-overview.ts'),
    import('../../fleet/open-fleet.ts'),
  ]);
  const { tenant, isWatched } = shown;
  const overview = await fleetOverview(fleet.database, {
    name: tenant,
    clock,
    heartbeatMs: fleet.config.heartbeat,
    files: () => filesFault(fleet, signal),
  });
  const needs = overview.units.filter(({ state }) => state === 'dead' || state === 'stopped');
  const exit = needs.length > 0 ? exitCodes.someFailed : exitCodes.done;
  const clear = isWatched && host.stdout.isTTY ? '\u001b[H\u001b[2J' : '';
  return printResult(host, shown, { command: 'fleet status', ...overview, exit }, clear + describeFleet(overview));
}

function addChange(fleet: Command, host: Host, change: UnitChange, summary: string): void {
  const command = fleet
    .command(`${change} <UNIT>`)
    .summary(summary)
    .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}. UNIT is a unit, or a tenant with all of its units.`);
  addOptions(addPlace(command), ['json']);
  addAction(command, host, async ({ json }, { signal }, unit: string) =>
    atFleet(command, host, false, async (fleet) => {
      const { changeUnits } = await import('../../fleet/change-units.ts');
      const changed = await changeUnits(fleet.database, { ...fleet, signal }, change, unit);
      const exit = exitCodes.done;
      if (json) print(host, JSON.stringify({ command: `fleet ${change}`, units: changed, exit }));
      else for (const line of await describeChanges(fleet, changed)) print(host, line);
      return exit;
    }),
  );
}

async function describeChanges({ database, config }: Fleet, changed: readonly ChangedUnit[]): Promise<string[]> {
  const { silentlyHeld } = await import('../../fleet/fleet-overview.ts');
  const ids = changed.map(({ unit }) => unit);
  const silent = await silentlyHeld(database.query, ids, config.heartbeat);
  return changed.map((one) => describeChange(one, silent.has(one.unit)));
}

function describeChange({ unit, was, is }: ChangedUnit, isSilent: boolean): string {
  if (is === 'unchanged') return `${unit}: stays ${was}`;
  if (was !== 'running' || is !== 'paused') return `${unit}: ${is}`;
  return `${unit}: paused; ${isSilent ? 'its worker is silent: nothing of it is sent any more' : 'its lease ends within half a minute'}`;
}

function addOpen(fleet: Command, host: Host): void {
  const command = fleet
    .command('open <UNIT>')
    .summary('fetch the last copy of a unit, to inspect it with status, report, explain and verify')
    .description(
      'Fetches the last copy of the store of a unit into a file. Every other command reads it: chatferry status --store FILE. It is a copy:\n' +
        'nothing that is done with it changes the unit, so do not send from it while the unit is not paused.',
    )
    .option('--store <FILE>', 'File to write (default: name of the unit with .db)');
  addOptions(addPlace(command), ['json']);
  addAction(command, host, async (options, { signal }, unit: string) =>
    atFleet(command, host, false, async (fleet) => {
      const { store } = command.opts<{ store?: string }>();
      const { openUnit } = await import('../../fleet/open-unit.ts');
      const opened = await openUnit(fleet.database, fleet.copies, { name: unit, store, signal });
      const words = [
        `${opened.unit}: as it was ${formatDuration(opened.agoMs)} ago, in ${opened.store}`,
        `Next      chatferry status --store ${quoted(opened.store)}`,
      ];
      return printResult(host, options, { command: 'fleet open', ...opened, exit: exitCodes.done }, words.join('\n'));
    }),
  );
}
