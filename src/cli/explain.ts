import type { Command } from 'commander';
import { UsageError } from '../lib/errors.ts';
import { forTerminal, oneLine } from '../lib/plain-text.ts';
import { exitCodes } from '../run/exit-codes.ts';
import { type ExplainedMessage, explainId } from '../run/explain.ts';
import { addOptions } from './flags.ts';
import { print } from './print.ts';
import { runs } from './runs.ts';

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .summary('everything known about one message')
    .description('Shows where a message stands in the export, how it is mapped, and every attempt to send it.')
    .argument('<ID>', "muid, or the message's id at the source");
  addOptions(command, ['store', 'json']);
  command.action(
    runs(async (options, around, id: string) => {
      const found = await explainId(options.store, id, around.stopping);
      if (found.length === 0) {
        throw new UsageError(
          `Cannot explain "${oneLine(id)}": the store "${options.store}" has no message with this id`,
          {
            hint: 'Pass a muid from a report, or the id that the source uses (for Slack the ts, such as 1700000000.000100)',
          },
        );
      }
      print(options.json ? JSON.stringify({ messages: found }) : found.map(describe).join('\n\n'));
      return exitCodes.done;
    }),
  );
}

const timeOf = (ms: number | null) => (ms === null ? '-' : new Date(ms).toISOString());

function describe(message: ExplainedMessage): string {
  const { verdict, reason, detail } = message;
  const lines = [
    `${message.muid ?? 'no muid'}`,
    `  stands at     ${oneLine(message.location)} in ${oneLine(message.input)}`,
    `  conversation  ${oneLine(message.conversation ?? '-')}`,
    `  author        ${oneLine(message.author ?? '-')}`,
    `  sent at       ${timeOf(message.sentAtMs)}, id at the source ${oneLine(message.originId ?? '-')}`,
    `  verdict       ${[verdict, reason, detail]
      .filter(Boolean)
      .map((text) => oneLine(text!))
      .join(': ')}${message.isVanished ? ' (vanished: its file no longer holds it)' : ''}`,
    ...json('record', message.record),
    ...json('payload', message.payload === null ? null : JSON.parse(message.payload)),
  ];
  if (message.deliveries.length === 0) lines.push('  deliveries    none: nothing was sent anywhere yet');
  for (const { destination, state, serverId, code, detail: words, isLate, attempts } of message.deliveries) {
    const facts = [state, isLate && 'late', serverId && `server id ${serverId}`, code, words]
      .filter(Boolean)
      .join(', ');
    lines.push(`  at ${oneLine(destination)}: ${oneLine(facts)}`);
    for (const attempt of attempts) {
      const result = [attempt.outcome ?? 'no answer', attempt.code, attempt.detail].filter(Boolean).join(', ');
      lines.push(`    request at ${timeOf(attempt.startedAtMs)}: ${oneLine(result)}`);
    }
  }
  return lines.join('\n');
}

function json(name: string, value: unknown): string[] {
  if (value === null) return [];
  const text = forTerminal(JSON.stringify(value, undefined, 2)).split('\n');
  return [`  ${name}`, ...text.map((line) => `    ${line}`)];
}
