import type { Command } from 'commander';
import { loadSyncFile } from '../../sync/sync-file.ts';
import { formatUtc } from '../../report/format.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { type JobOverview, type Overview, readOverview } from '../../sync/job-overview.ts';
import type { Host } from '../host.ts';
import { addedWords, exitWords, remainingWords, saidWords } from '../terminal/describe-run.ts';
import { addOptions } from '../options/flags.ts';
import { printResult } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';

export function addJobs(program: Command, host: Host): void {
  const command = program
    .command('jobs')
    .description('Shows the jobs of chatferry.yaml. Works while chatferry sync runs them.');
  addOptions(command, ['json']);
  addAction(command, host, async (options, { clock }) => {
    const { config: configPath } = command.opts<{ config?: string }>();
    const overview = readOverview(loadSyncFile({ flags: {}, env: host.env, configPath }), clock.now());
    return printResult(host, options, { command: 'jobs', ...overview, exit: exitCodes.done }, describe(overview));
  });
}

function describe({ process, jobs }: Overview): string {
  const who = process
    ? `chatferry sync runs since ${formatUtc(process.sinceMs)}, process ${process.pid} on ${process.host}`
    : 'chatferry sync does not run';
  return [who, ...jobs.map(describeJob)].join('\n\n');
}

function describeJob({ name, running, cutOff, last, nextAtMs }: JobOverview): string {
  const lines = [name];
  if (running) lines.push(row('running', `#${running.number} since ${formatUtc(running.sinceMs)}`));
  if (cutOff)
    lines.push(row('cut off', `#${cutOff.number}, started ${formatUtc(cutOff.sinceMs)}; the next start continues it`));
  if (!last) lines.push(row('last', 'never'));
  else {
    const end = exitWords[last.exit] ?? `exit ${last.exit}`;
    lines.push(row('last', `#${last.number}, ended ${formatUtc(last.endedAtMs)}: ${end}`));
    lines.push(...saidWords(last).map((words) => row('', words)));
    lines.push(row('added', addedWords(last)), row('remaining', remainingWords(last)));
    if (last.report) lines.push(row('report', last.report));
  }
  lines.push(row('next', nextAtMs === null ? 'only with --once' : formatUtc(nextAtMs)));
  return lines.join('\n');
}

const row = (name: string, text: string): string => `  ${name.padEnd(9)} ${text}`;
