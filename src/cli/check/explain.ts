import type { Command } from 'commander';
import { UsageError } from '../../lib/errors.ts';
import { forTerminal, oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { explainId } from '../../commands/check.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import type { ExplainedMessage } from '../../commands/results.ts';

export function addExplain(program: Command, host: Host): void {
  const command = program
    .command('explain')
    .description(
      'Shows where a message is in the export, how it is mapped, and, for each destination, every attempt to send it.',
    )
    .argument(
      '<ID>',
      "muid of any generation, the message's id at the source, or its place: general/2024-03-01.json#/3, chat.csv:12",
    );
  addOptions(command, ['store', 'json']);
  addAction(command, host, async (options, around, id: string) => {
    const found = await explainId(options.store, id, around.stopping);
    if (found.length === 0) {
      throw new UsageError(
        `Cannot explain "${oneLine(id)}": the store "${options.store}" has no message with this id or at this place`,
        {
          hint: 'Pass a muid or a place from a report, such as general/2024-03-01.json#/3 or chat.csv:12, or the id that the source uses (for Slack the ts, such as 1700000000.000100)',
        },
      );
    }
    print(host, options.json ? JSON.stringify({ messages: found }) : found.map(describe).join('\n\n'));
    return exitCodes.done;
  });
}

const isoTime = (ms: number | null) => (ms === null ? '-' : new Date(ms).toISOString());

function describe(message: ExplainedMessage): string {
  const { verdict, reason, detail } = message;
  const words = [verdict, reason, detail].filter((text) => text !== null && text !== '').map((text) => oneLine(text!));
  const lines = [
    `${message.muid ?? 'no muid'}`,
    `  location      ${oneLine(message.location)} in ${oneLine(message.input)}`,
    `  conversation  ${oneLine(message.conversation ?? '-')}`,
    `  author        ${oneLine(message.author ?? '-')}`,
    `  sent at       ${isoTime(message.sentAtMs)}, id at the source ${oneLine(message.originId ?? '-')}`,
    `  verdict       ${words.join(': ')}${message.isVanished ? ' (vanished: its file no longer holds it)' : ''}`,
    ...(message.follows === null
      ? []
      : [`  follows       ${message.follows}: says how that message changed at the source`]),
    ...message.drift.map(describeDrift),
    ...json('record', message.record),
    ...(message.isPurged ? ['  payload       purged: chatferry purge wiped it'] : []),
    ...json('payload', message.payload === null ? null : JSON.parse(message.payload)),
  ];
  lines.push(...message.files.flatMap(describeFile));
  if (message.deliveries.length === 0) lines.push('  deliveries    none: nothing was sent anywhere yet');
  for (const delivery of message.deliveries) lines.push(...describeDelivery(delivery, message.muid));
  lines.push(...message.reactions.map(describeReaction));
  return lines.join('\n');
}

type File = ExplainedMessage['files'][number];

function describeFile(file: File): string[] {
  const { name, path, host, state, reason, sizeBytes, type, expiresAtMs, triedAtMs, copy } = file;
  const origin = path === null ? `at ${host}` : `in the export: ${path}`;
  const facts = [
    ...[state, reason, sizeBytes !== null && formatBytes(sizeBytes), type],
    ...[expiresAtMs !== null && `its address stops working ${isoTime(expiresAtMs)}`],
    ...[copy === null && triedAtMs !== null && `last tried ${isoTime(triedAtMs)}`],
  ];
  return [
    `  file          "${oneLine(name)}" ${oneLine(origin)}: ${joinFacts(facts)}`,
    ...(copy === null ? [] : describeCopy(copy)),
  ];
}

function describeCopy(copy: NonNullable<File['copy']>): string[] {
  const { address, location, sha256, existed, storedAtMs, checkedAtMs, fault } = copy;
  const [since, looked] = [isoTime(storedAtMs), isoTime(checkedAtMs)];
  const facts = [
    existed ? `already existed, found ${since}` : `written ${since}`,
    checkedAtMs === null ? 'not read back since' : `read back ${looked}: ${fault ?? 'the same'}`,
  ];
  return [
    `                stays at ${oneLine(address)} (${oneLine(location)})`,
    `                sha256 ${sha256}, ${joinFacts(facts)}`,
  ];
}

function describeReaction({
  uid,
  reaction,
  destination,
  state,
  code,
  detail,
}: ExplainedMessage['reactions'][number]): string {
  const where = destination === null ? '' : ` at ${destination}`;
  return `  reaction      ${oneLine(`${reaction} of ${uid}${where}`)}: ${joinFacts([state, code, detail])}`;
}

function describeDelivery(delivery: ExplainedMessage['deliveries'][number], stagedMuid: string | null): string[] {
  const { destination, state, muid, generation, isLate, batches } = delivery;
  const facts = [
    ...[state, isLate && 'late'],
    ...[muid !== stagedMuid && `generation ${generation} as ${muid}`],
    ...listFacts(delivery),
  ];
  return [`  at ${oneLine(destination)}: ${joinFacts(facts)}`, ...batches.flatMap(describeBatch)];
}

function describeDrift({ destination, kind, policy, seenAtMs, followUp }: ExplainedMessage['drift'][number]): string {
  const policyWords = followUp === null ? policy : `${policy}, reported in ${followUp}`;
  return `  ${kind.padEnd(12)}  at the source after it was sent to ${oneLine(destination)}, noticed ${isoTime(seenAtMs)} (${policyWords})`;
}

type Batch = ExplainedMessage['deliveries'][number]['batches'][number];

function describeBatch({ batch, run, command, size, attempts, answers }: Batch): string[] {
  const title = `batch ${batch} of run r${run}${command && ` (${command})`}, ${size} ${size === 1 ? 'message' : 'messages'}`;
  return [
    `    ${oneLine(title)}`,
    ...attempts.map((attempt) => {
      const { number, startedAtMs, endedAtMs, outcome, status } = attempt;
      const time = `${isoTime(startedAtMs)}${endedAtMs === null ? '' : `, ${endedAtMs - startedAtMs} ms`}`;
      const facts = [outcome ?? 'no answer', status !== null && `status ${status}`, attempt.code, attempt.detail];
      return `      request ${number} at ${time}: ${joinFacts(facts)}`;
    }),
    ...(attempts.length === 0 ? ['      no request: found by reading back, or failed before it was sent'] : []),
    ...answers.map((answer) => {
      const generation = answer.generation > 1 && `generation ${answer.generation}`;
      return `      then ${joinFacts([answer.state, generation, ...listFacts(answer)])}`;
    }),
  ];
}

const listFacts = ({ serverId, code, detail }: Pick<Batch['answers'][number], 'serverId' | 'code' | 'detail'>) => [
  serverId !== null && `server id ${serverId}`,
  code,
  detail,
];

const joinFacts = (facts: readonly (string | false | null)[]): string => oneLine(facts.filter(Boolean).join(', '));

function json(name: string, value: unknown): string[] {
  if (value === null) return [];
  const text = forTerminal(JSON.stringify(value, undefined, 2)).split('\n');
  return [`  ${name}`, ...text.map((line) => `    ${line}`)];
}
