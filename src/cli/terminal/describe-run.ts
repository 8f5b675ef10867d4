import { formatDuration } from '../../lib/text/quantity.ts';
import { countOf, formatCount, formatUtc } from '../../report/format.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { JobResult } from '../../sync/job-result.ts';

/** `support #12: 340 imported, 2 invalid; 0 pending (done, 3 min 20 s)`. */
export function describeRun(result: JobResult): string {
  const { job, number, exit, startedAtMs, endedAtMs } = result;
  const end = `${exitWords[exit] ?? `exit ${exit}`}, ${formatDuration(endedAtMs - startedAtMs)}`;
  const line = `${formatUtc(endedAtMs)}  ${job} #${number}: ${addedWords(result)}; ${remainingWords(result)} (${end})`;
  return [line, ...saidWords(result).map((words) => `  ${words}`)].join('\n');
}

/** Why it stopped, then its notes, each with its advice. */
export const saidWords = ({ stopped, notes }: JobResult): string[] =>
  [...(stopped ? [stopped] : []), ...notes].flatMap(({ message, hint }) =>
    [message.replace(/^Stopped: (?=.)/, ''), hint ?? ''].filter(Boolean).map(oneLine),
  );

/** Describes what it imported, in words; kinds with a count of zero are left out. */
export function addedWords({ added, isChanged }: JobResult): string {
  const { drift, actions, imported, existing, failed, invalid, late } = added;
  const changes = Object.values(drift).reduce((sum, count) => sum + count, 0);
  const done = Object.values(actions).reduce((sum, count) => sum + count, 0);
  const parts = [
    [imported, 'imported'],
    [existing, 'existing'],
    [late, 'of them late'],
    [failed, 'failed'],
    [invalid, 'invalid'],
    [changes, 'changed at the source'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  if (done > 0) words.push(`${countOf(done, 'action')} done`);
  if (words.length > 0) return words.join(', ');
  return isChanged ? 'the export changed, and added nothing to send' : 'nothing new';
}

export const remainingWords = ({ remaining }: JobResult): string =>
  remaining.unconfirmed > 0
    ? `${formatCount(remaining.pending)} pending, ${formatCount(remaining.unconfirmed)} unconfirmed`
    : `${formatCount(remaining.pending)} pending`;

export const exitWords: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'an internal error of Chatferry',
  2: 'not run: configuration or mapping',
  3: 'done, some rows invalid or messages failed',
  4: 'the export cannot be read',
  5: 'stopped, the next run continues',
  6: 'differences found, or not read back since',
  7: 'the checkpoint store cannot be used',
  8: 'needs a person: no next run continues by itself',
  130: 'interrupted',
  143: 'interrupted',
};
