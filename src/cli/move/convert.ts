import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { readTrust } from '../../config/trusted-files.ts';
import { loadMapping } from '../../mapping/load.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf, formatCount } from '../../report/format.ts';
import { convert } from '../../commands/move.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { OutputTarget } from '../../io/output.ts';
import { type Host, type Output, programName } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { printWritten, writtenTo } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { Conversion } from '../../commands/results.ts';

export function addConvert(program: Command, host: Host): void {
  const command = program
    .command('convert')
    .description(
      `Reads exports of any source and writes them as Chatferry's own records, NDJSON: ${docsLink('reference/sources/chatferry')}.\n` +
        'A plan of the file is a plan of the export: same messages, same ids, same order.',
    )
    .argument('<EXPORT...>', 'folders, archives or files');
  addOptions(command, ['out', 'force', ...optionGroups.reading, 'mapping', 'json', 'quiet', 'progress']);
  addAction(command, host, async (options, around, exports: string[]) => {
    const { source, workspace } = options;
    const to = toOutputTarget(options, host.stdout);
    const mapping = await loadMapping(options.mapping, { exports, trust: readTrust });
    const { progress, stopping: signal } = around;
    const done = await convert({ from: exports, source, workspace, mapping, progress, signal, to });
    const result = { command: 'convert', out: options.out, ...done, exit: convertExitCode(done) };
    return printWritten(host, options, result, describe(done, options));
  });
}

function toOutputTarget({ out, force }: Options, stdout: Output): OutputTarget {
  if (out === undefined) {
    throw new UsageError('Cannot convert: --out is missing', {
      hint: 'Pass --out export.ndjson.gz, or --out - for standard output',
    });
  }
  return out === '-' ? { stream: stdout } : { path: out, mayReplace: force };
}

/** A recognised export of which nothing was read is no empty one, unless its files of messages were read to their end. */
function convertExitCode({ read, invalid, unread, files }: Conversion): number {
  if (read === 0 && files.rows === 0) return exitCodes.source;
  return invalid + unread > 0 ? exitCodes.someFailed : exitCodes.done;
}

function describe(done: Conversion, { out, mapping }: Options): string {
  const { read, messages, invalid, skipped, people, conversations, relations, problems, lines, bytes, files } = done;
  const fileCount = Object.values(files).reduce((sum, count) => sum + count, 0);
  const result = [
    row('Read', read, `messages of ${done.inputs.map(oneLine).join(', ')} (${done.title})`),
    row('  written', messages),
    row('  invalid', invalid, invalid > 0 ? 'each on a line with its reason and location' : ''),
    ...(skipped > 0 ? [row('  skipped', skipped, 'by a condition of the mapping')] : []),
    row('Lines', lines, `${formatBytes(bytes)} in ${writtenTo(out!, done)}`),
    row('  header', 1),
    row('  people', people),
    row('  conversations', conversations),
    ...(relations > 0 ? [row('  relations', relations, 'friends and blocks')] : []),
    row('  messages', messages),
    row('  invalid', invalid),
    ...(skipped > 0 ? [row('  skipped', skipped)] : []),
    row('  problems', problems, problems > 0 ? 'for your attention; the plan lists them' : ''),
    row('Files', fileCount, formatCounts(files)),
  ];
  if (!done.isComplete) {
    return [
      ...result,
      '',
      `Not all of it: the reader of standard output went away after ${countOf(bytes, 'byte')}`,
    ].join('\n');
  }
  if (out === '-') return result.join('\n');
  const rules = mapping === undefined ? '' : ` --mapping ${quoted(mapping)}`;
  return [...result, '', 'Next', `  ${programName} plan ${quoted(out!)}${rules}`].join('\n');
}

const row = (name: string, count: number, note = '') =>
  `${name.padEnd(16)}${formatCount(count).padStart(9)}${note && `  ${note}`}`;

/** `1 rows, 2 shared`. */
const formatCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');
