import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { formatCount } from '../../report/format.ts';
import { renderSummary } from '../../report/terminal.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { type Glance, readStatus, watch } from '../../commands/check.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { jsonResult } from '../terminal/outcome.ts';
import { print, terminalStyle } from '../terminal/print.ts';
import type { StageProgress } from '../../lib/flow/progress.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { addAction, type CommandContext } from '../command-context.ts';

export function addStatus(program: Command, host: Host): void {
  const command = program
    .command('status')
    .description('Prints the current totals. Works while another process imports; with --watch until that has ended.');
  addOptions(command, [...optionGroups.store, 'watch', 'interval', 'json']);
  addAction(command, host, async (options, around) => {
    if (options.watch) await follow(options, around);
    const report = readStatus({ store: options.store, clock: around.clock }, 'status');
    if (options.json) print(host, JSON.stringify(jsonResult(report, exitCodes.done, null)));
    else print(host, renderSummary(report, terminalStyle(host)));
    return exitCodes.done;
  });
}

/** On a terminal one line that is redrawn; else a line for every change, or an object with `--json`. */
async function follow({ store, interval, json }: Options, around: CommandContext): Promise<void> {
  const { host, clock, stopping: signal } = around;
  const isLive = host.stdout.isTTY === true && !json;
  const view = json ? jsonView(host) : isLive ? liveView(host) : plainView(host);
  let before: string | undefined;
  try {
    for await (const glance of watch({ store, intervalMs: interval, clock, signal })) {
      const state = JSON.stringify({ ...glance, atMs: 0 });
      if (isLive || state !== before) view.show(glance);
      before = state;
      if (host.stdout.destroyed) break;
    }
  } finally {
    view.close();
  }
}

interface View {
  show(glance: Glance): void;
  close(): void;
}

const jsonView = (host: Host): View => ({ show: (glance) => print(host, JSON.stringify(glance)), close() {} });

const plainView = (host: Host): View => ({
  show: (glance) => print(host, `${new Date(glance.atMs).toISOString().slice(0, 19)}Z  ${describe(glance)}`),
  close() {},
});

function liveView(host: Host): View {
  const { stdout, clock } = host;
  const { color } = terminalStyle(host);
  const columns = () => stdout.columns ?? 80;
  const progress: Progress = createProgress({ stream: stdout, style: 'live', columns, clock, color });
  let shown: { readonly name: string; readonly stage: StageProgress } | undefined;
  return {
    show(glance) {
      const { totals, command } = glance;
      const name = isReading(glance) ? 'Reading' : command === 'verify' ? 'Verifying' : 'Sending';
      if (shown?.name !== name) {
        shown?.stage.finish();
        shown = { name, stage: progress.stage(name) };
      }
      if (name === 'Reading') shown.stage.update({ done: totals.read, note: `${command}, process ${glance.pid}` });
      else shown.stage.update({ done: answered(glance), total: totals.planned, note: leftOver(glance) });
    },
    close: () => progress.close(),
  };
}

const isReading = ({ command, runId }: Glance): boolean => command === 'plan' || runId === null;

const answered = ({ totals }: Glance): number => totals.imported + totals.existing + totals.failed;

/** `import r7 to https://…: 1,200 of 10,310 settled, 9,060 pending, 50 unconfirmed`. */
function describe(glance: Glance): string {
  const { command, runId, destination, totals, pid } = glance;
  if (isReading(glance)) return `${command}, process ${pid}: ${formatCount(totals.read)} read`;
  const where = destination === null ? '' : ` at ${oneLine(destination)}`;
  return `${command} r${runId}${where}: ${formatCount(answered(glance))} of ${formatCount(totals.planned)} settled, ${leftOver(glance)}`;
}

function leftOver({ totals }: Glance): string {
  const parts = [`${formatCount(totals.pending)} pending`, `${formatCount(totals.unconfirmed)} unconfirmed`];
  if (totals.failed > 0) parts.push(`${formatCount(totals.failed)} failed`);
  return parts.join(', ');
}
