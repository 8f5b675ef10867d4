import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { formatCount } from '../../report/format.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { exportFailed } from '../../commands/repair.ts';
import { type Host, programName } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { printWritten, writtenTo } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { ExportedFailures } from '../../commands/results.ts';

export function addExportFailed(program: Command, host: Host): void {
  const command = program
    .command('export-failed')
    .description(
      'Writes every invalid row, and every message that failed at the last destination, as a line of our own records, with the ' +
        `reason. Correct the lines and plan the file into the same store: ${docsLink('guides/retry')}. Reads the export again; name it ` +
        'if it was moved after the plan.',
    )
    .argument('[EXPORT...]', 'folders, archives or files, if they were moved');
  addOptions(command, ['out', 'force', ...optionGroups.store, 'json', 'quiet', 'progress']);
  addAction(command, host, async (options, around, exports: string[]) => {
    const { store, out, force } = options;
    if (out === undefined) {
      throw new UsageError('Cannot write failed messages: --out is missing', {
        hint: 'Pass --out failed.ndjson, or --out - for standard output',
      });
    }
    const to = out === '-' ? { stream: host.stdout } : { path: out, mayReplace: force };
    const { progress, stopping: signal, configured } = around;
    const done = await exportFailed({ store, exports, configured, to, progress, signal });
    const result = { command: 'export-failed', out, ...done, exit: exitCodes.done };
    return printWritten(host, options, result, describe(done, options));
  });
}

function describe(done: ExportedFailures, { out, store }: Options): string {
  const { messages, unreadable, bytes } = done;
  const lines = [
    `Written     ${formatCount(messages + unreadable).padStart(9)}  ${formatBytes(bytes)} in ${writtenTo(out!, done)}`,
    `  messages  ${formatCount(messages).padStart(9)}  each with its error in "fault": correct it and plan the file`,
    `  rows      ${formatCount(unreadable).padStart(9)}  no messages: correct them in the export`,
  ];
  if (out === '-' || messages === 0) return lines.join('\n');
  const where = store === './chatferry.db' ? '' : ` --store ${quoted(store)}`;
  return [...lines, '', 'Next', `  ${programName} import ${quoted(out!)}${where}`].join('\n');
}
