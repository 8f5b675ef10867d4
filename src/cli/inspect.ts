import type { Command } from 'commander';
import { forTerminal, oneLine, truncate } from '../lib/plain-text.ts';
import { loadMapping } from '../mapping/load-rules.ts';
import type { MessageRecord } from '../model/records.ts';
import { exitCodes } from '../run/exit-codes.ts';
import { type Inspection, inspect } from '../run/inspect.ts';
import { addOptions, optionGroups } from './flags.ts';
import { planCommand } from './next-command.ts';
import { print } from './print.ts';
import { runs } from './runs.ts';
import { formatCount } from './style.ts';

export function addInspect(program: Command): void {
  const command = program
    .command('inspect')
    .summary('what is this, how much, from when to when; reads only')
    .description(
      'Recognises an export, counts what is in it, and shows five messages as Chatferry sees them. Reads only.',
    )
    .argument('<EXPORT...>', 'folders, archives or files');
  addOptions(command, [...optionGroups.reading, 'mapping', 'json', 'quiet', 'logJson']);
  command.action(
    runs(async (options, around, exports: string[]) => {
      const { source, workspace, json } = options;
      const mapping = await loadMapping(options.mapping);
      const { progress, stopping: signal } = around;
      const found = await inspect({ exports, source, workspace, mapping, progress, signal });
      print(json ? JSON.stringify(found) : describe(found, planCommand(options, exports)));
      return exitCodes.done;
    }),
  );
}

function describe(found: Inspection, next: string): string {
  const conversations = Object.values(found.conversations).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...found.inputs.map(({ label, because }) => `${oneLine(label)}: ${found.title}, because of ${oneLine(because)}`),
    '',
    row(
      'Rows',
      found.rows,
      `${formatCount(found.messages)} messages, ${formatCount(found.system)} written by the platform`,
    ),
    row('People', found.people, ''),
    row('Conversations', conversations, listOf(found.conversations)),
    row(
      'Files',
      Object.values(found.files).reduce((sum, count) => sum + count, 0),
      listOf(found.files),
    ),
    `From           ${dateOf(found.firstAtMs)}`,
    `To             ${dateOf(found.lastAtMs)}`,
  ];
  if (found.rejected + found.problems > 0) {
    lines.push(
      '',
      `${formatCount(found.rejected)} ${found.rejected === 1 ? 'row' : 'rows'} cannot be read, ${formatCount(found.problems)} ${found.problems === 1 ? 'problem' : 'problems'}:`,
    );
    for (const { location, reason } of found.notes) lines.push(`  ${oneLine(location)}: ${oneLine(reason)}`);
  }
  if (found.examples.length > 0)
    lines.push('', 'Messages as Chatferry sees them:', ...found.examples.map(describeMessage));
  lines.push('', 'Next', `  ${next}`);
  return lines.join('\n');
}

const row = (name: string, count: number, note: string) =>
  `${name.padEnd(15)}${formatCount(count)}${note && `   ${note}`}`;

const listOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');

const dateOf = (ms: number | null) =>
  ms === null ? '-' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** One line: when, where, who and what. */
export function describeMessage({ origin, sentAtMs, author, text, attachments }: MessageRecord): string {
  const files = attachments?.length ? ` [${attachments.map(({ name }) => oneLine(name)).join(', ')}]` : '';
  return `  ${dateOf(sentAtMs)}  ${forTerminal(origin.conversation)}  ${oneLine(author ?? 'unknown')}: ${truncate(oneLine(text), 100)}${files}`;
}
