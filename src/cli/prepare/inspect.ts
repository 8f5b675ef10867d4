import type { Command } from 'commander';
import { oneLine, truncate, displayWidth, visibleLine } from '../../lib/text/plain-text.ts';
import { readTrust } from '../../config/trusted-files.ts';
import { loadMapping } from '../../mapping/load.ts';
import type { MessageRecord } from '../../model/records.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { inspect } from '../../commands/prepare.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { describeDecisions } from '../terminal/decisions.ts';
import { describeFindings } from '../terminal/findings.ts';
import { initCommand, planCommandLine } from '../terminal/next-command.ts';
import { print } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import { formatCount } from '../../report/format.ts';
import type { Inspection } from '../../commands/results.ts';
import { describeParts } from '../../rows/parts.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';

export function addInspect(program: Command, host: Host): void {
  const command = program
    .command('inspect')
    .description(
      'Detects the source of an export, counts its content, and shows five messages as Chatferry reads them. Reads only.',
    )
    .argument('<EXPORT...>', 'folders, archives or files');
  addOptions(command, [...optionGroups.reading, 'mapping', 'json', 'quiet', 'progress']);
  addAction(command, host, async (options, around, exports: string[]) => {
    const { source, workspace, json } = options;
    const mapping = await loadMapping(options.mapping, { exports, trust: readTrust });
    const { progress, stopping: signal } = around;
    const found = await inspect({ from: exports, source, workspace, mapping, listTables: json, progress, signal });
    // Columns that were recognised are not taken for what they seem to be by a plan: the mapping has to say so.
    const next = found.columns.length > 0 ? initCommand(options, exports) : planCommandLine(options, exports);
    print(host, json ? JSON.stringify(found) : describe(found, next, host.stdout.columns));
    return inspectExitCode(found);
  });
}

/** A recognised export of which nothing was read is no empty one, unless its files of messages were read to their end. */
function inspectExitCode({ open, rows, files }: Inspection): number {
  if (open.length > 0) return exitCodes.usage;
  return rows === 0 && (files.rows ?? 0) === 0 ? exitCodes.source : exitCodes.done;
}

/** @param columns Width of the terminal; undefined if there is none. */
const describe = (found: Inspection, next: string, columns: number | undefined): string =>
  found.open.length > 0 ? describeUndecided(found, next, columns) : describeCounted(found, next, columns);

const describeUndecided = (found: Inspection, next: string, columns: number | undefined): string =>
  [
    ...describeInputs(found),
    '',
    describeFindings(found.columns, { columns: columns ?? Infinity, explain: false }),
    ...describeDecisions(found.open),
    ...describeOwn(found.own),
    ...(found.ignored.length > 0 ? ['', ...describeIgnored(found.ignored)] : []),
    ...(found.beforeAfter.length > 0 ? ['', ...describeRows(found.beforeAfter, columns ?? 80)] : []),
    '',
    `${formatCount(found.open.length)} to decide before anything is counted: "init" asks`,
    '',
    'Next',
    `  ${next}`,
  ].join('\n');

const describeInputs = ({ inputs, title }: Inspection): string[] =>
  inputs.map(({ label, because }) => `${oneLine(label)}: ${title}, because of ${oneLine(because)}`);

function describeCounted(found: Inspection, next: string, columns: number | undefined): string {
  const conversations = Object.values(found.conversations).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...describeInputs(found),
    '',
    row(
      'Messages',
      found.rows,
      [
        `${formatCount(found.messages)} of people and bots`,
        ...(found.internal > 0 ? [`${formatCount(found.internal)} internal (notes of agents)`] : []),
        `${formatCount(found.system)} written by the platform`,
      ].join(', '),
    ),
    row('People', found.people, ''),
    row('Conversations', conversations, formatCounts(found.conversations)),
    row(
      'Export files',
      Object.values(found.files).reduce((sum, count) => sum + count, 0),
      formatCounts(
        Object.fromEntries(Object.entries(found.files).map(([role, count]) => [fileRoles[role] ?? role, count])),
      ),
    ),
    `From           ${formatDate(found.firstAtMs)}`,
    `To             ${formatDate(found.lastAtMs)}`,
  ];
  lines.push(...describeOwn(found.own));
  if (found.columns.length > 0)
    lines.push(
      '',
      'Its columns, as Chatferry understands them; "init" writes that into a mapping, which a plan needs:',
      ...found.columns.map(describeColumn),
    );
  if (found.notMigrated.length > 0) lines.push('', describeNotMigrated(found.notMigrated));
  if (found.ignored.length > 0) lines.push('', ...describeIgnored(found.ignored));
  if (found.invalid + found.problems > 0) {
    lines.push(
      '',
      `${formatCount(found.invalid)} ${found.invalid === 1 ? 'row' : 'rows'} cannot be read, ${formatCount(found.problems)} ${found.problems === 1 ? 'problem' : 'problems'}:`,
    );
    for (const { location, reason } of found.notes) lines.push(`  ${oneLine(location)}: ${oneLine(reason)}`);
  }
  if (found.beforeAfter.length > 0) lines.push('', ...describeRows(found.beforeAfter, columns ?? 80));
  else if (found.examples.length > 0)
    lines.push(
      '',
      'Messages as Chatferry sees them:',
      ...found.examples.map((message) => describeMessage(message, found.names)),
    );
  lines.push('', 'Next', `  ${next}`);
  return lines.join('\n');
}

export const describeOwn = (own: readonly string[]): string[] =>
  own.length === 0 ? [] : [`Written by Chatferry, and no part of the export: ${own.map(oneLine).join(', ')}`];

/** Describes rows as they are, with the message that each becomes, and an empty line between them. */
export const describeRows = (shown: Inspection['beforeAfter'], columns: number): string[] => [
  'Rows of the export, and the messages that they become:',
  ...shown.flatMap((one) => ['', ...describeBeforeAfter(one, columns)]),
];

const ignoredMax = 5;

export function describeIgnored(files: Inspection['ignored']): string[] {
  const groups = [...Map.groupBy(files, ({ reason }) => reason)];
  const more = groups.length - ignoredMax;
  return [
    'Ignored files',
    ...groups.slice(0, ignoredMax).map(([reason, [first, ...others]]) => {
      const rest = others.length === 0 ? '' : ` and ${formatCount(others.length)} more`;
      return `  ${oneLine(first!.path)}${rest}: ${oneLine(reason)}`;
    }),
    ...(more > 0 ? [`  and ${formatCount(more)} more reasons`] : []),
  ];
}

/** `3 columns are not migrated: status (812 rows), priority (812), note (9)`. */
export function describeNotMigrated(columns: Inspection['notMigrated']): string {
  const shown = columns.slice(0, 12).map(({ name, rows }, index) => {
    const count = index === 0 ? `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}` : formatCount(rows);
    return `${truncate(oneLine(name), 40)} (${count})`;
  });
  const more = columns.length > shown.length ? ` and ${columns.length - shown.length} more` : '';
  const are = columns.length === 1 ? 'A column is' : `${columns.length} columns are`;
  return `${are} not migrated: ${shown.join(', ')}${more}`;
}

const describeColumn = ({ key, value, because }: Inspection['columns'][number]) =>
  `  ${truncate(oneLine(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)} (${because})`), 160)}`;

const row = (name: string, count: number, note: string) =>
  `${name.padEnd(15)}${formatCount(count)}${note && `   ${note}`}`;

/** Roles of files, in words for a person who reads about them for the first time. */
const fileRoles: Readonly<Record<string, string>> = {
  rows: 'with messages',
  shared: 'with people and conversations',
  skipped: 'ignored',
  unknown: 'not of this format',
};

const formatCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');

const formatDate = (ms: number | null) =>
  ms === null ? '-' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** One line: when, where, who and what. */
export function describeMessage(
  { origin, sentAtMs, author = 'unknown', text, attachments }: MessageRecord,
  names: Readonly<Record<string, string>> = {},
): string {
  const named = (id: string) => (Object.hasOwn(names, id) ? names[id]! : id);
  const files = attachments?.length ? ` [${attachments.map(({ name }) => oneLine(name)).join(', ')}]` : '';
  return `  ${formatDate(sentAtMs)}  ${oneLine(named(origin.conversation))}  ${oneLine(named(author))}: ${truncate(oneLine(text), 100)}${files}`;
}

/** Lines that a row of a wide table takes at most. */
const rowLinesMax = 6;

const labelWidth = 16;

/** Describes a row, and below it the message that it becomes. No line is wider than `columns`. */
export function describeBeforeAfter(shown: BeforeAfter, columns: number): string[] {
  const width = Math.max(40, columns) - labelWidth;
  const before = labelled('row', rowLines(shown.row, width));
  const after = describeParts(shown).map(([label, text]) => labelled(label, [truncate(text, width)])[0]!);
  return [truncate(visibleLine(shown.place), columns), ...before, ...after];
}

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(labelWidth - 2)}${line}`);

/** Returns the columns that have a value, as many on a line as fit; then the names of the empty ones. */
export function rowLines(row: BeforeAfter['row'], width: number): string[] {
  const filled = row.filter(([, value]) => value !== '');
  const empty = row.filter(([, value]) => value === '').map(([column]) => visibleLine(column));
  const pairs = filled.map(([column, value]) => truncate(visibleLine(`${column}: ${value}`), width));
  const lines: string[] = [];
  for (const [index, pair] of pairs.entries()) {
    const joined = `${lines.at(-1) ?? ''}  ${pair}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (lines.length < rowLinesMax) lines.push(pair);
    else return [...lines, `and ${pairs.length - index} more`];
  }
  return empty.length === 0 ? lines : [...lines, truncate(`empty: ${empty.join(', ')}`, width)];
}
