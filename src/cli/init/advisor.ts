import { setTimeout as sleep } from 'node:timers/promises';
import { type Advisor, listReadings } from '../../decisions/proposal.ts';
import { parseValue, settingText, yamlLine } from '../../lib/settings.ts';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { countOf } from '../../report/format.ts';
import type { Finding, Preset } from '../../sources/table-source.ts';
import type { UnreadColumn } from '../../sources/not-migrated.ts';
import type { Host } from '../host.ts';
import type { CommandContext } from '../command-context.ts';
import { print } from '../terminal/print.ts';
import { describeFindings } from '../terminal/findings.ts';

interface Wishes extends Pick<Options, 'yes' | 'json'> {
  /** Take what cannot lose, merge or expose anything, and go on where rows cannot be read. */
  readonly assume: boolean;
  /** Show how each decision was made. */
  readonly explain: boolean;
}

/** The advisor that decides, and the decisions that were assumed. */
export interface InitAdvisor {
  readonly own: Advisor;
  /** Values that `--assume` took. */
  readonly assumed: readonly { readonly key: string; readonly value: unknown; readonly because: string }[];
  /** Whether the rest is wanted although some rows cannot be read. */
  agrees(invalidCount: number): Promise<boolean>;
}

/** Asks the person at the terminal. With `--yes`, everything with several readings stays open; `--assume` takes the harmless reading. */
export function advisorFor({ yes, json, assume, explain }: Wishes, { host, stopping }: CommandContext): InitAdvisor {
  const { stdin, stdout } = host;
  const isAlone = yes || assume || !stdin.isTTY || !stdout.isTTY;
  if (isAlone && !yes && !assume) {
    throw new UsageError('Cannot ask: standard input and output are no terminal', {
      hint: 'Pass --yes to take what has one reading; --set KEY=VALUE decides the rest',
    });
  }
  const assumed: { key: string; value: unknown; because: string }[] = [];
  const takeHarmless = (finding: Finding): unknown => {
    const [best] = listReadings(finding);
    if (!best?.isHarmless) return undefined;
    const { value, because } = best;
    assumed.push({ key: finding.key, value, because });
    if (!json)
      print(host, `Assumed source.${oneLine(finding.key)}=${oneLine(settingText(value))}: ${oneLine(because)}`);
    return value;
  };
  return {
    assumed,
    own: {
      begin(title, inputs) {
        if (json) return;
        for (const { label, because } of inputs)
          print(host, `${oneLine(label)}: ${title}, because of ${oneLine(because)}`);
      },
      show(findings) {
        if (!json && findings.length > 0)
          print(host, `\n${describeFindings(findings, { columns: stdout.columns ?? Infinity, explain })}\n\n`);
      },
      decide: async (finding) => {
        if (assume) return takeHarmless(finding);
        return yes ? undefined : askFor(host, finding, stopping);
      },
      ...(!isAlone && {
        keep: (columns: readonly UnreadColumn[]) => askForColumns(host, columns, stopping),
        refuse: (reason: string) => print(host, oneLine(reason)),
        agree: ({ title, path }: Preset) =>
          askYesOrNo(
            host,
            { message: `These tables are those of ${title}: read them as ${path} says?`, isYes: true },
            stopping,
          ),
      }),
    },
    agrees: async (invalidCount) => assume || (!isAlone && (await askToGoOn(host, invalidCount, stopping))),
  };
}

/** Asks at the terminal whether to go on without rows that cannot be read. */
const askToGoOn = (host: Host, invalidCount: number, stopping: AbortSignal): Promise<boolean> =>
  askYesOrNo(
    host,
    { message: `${countOf(invalidCount, 'row')} cannot be read. Go on without?`, isYes: false },
    stopping,
  );

/** @param question With what Enter alone says. */
async function askYesOrNo(
  host: Host,
  { message, isYes }: { readonly message: string; readonly isYes: boolean },
  stopping: AbortSignal,
): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = host;
  const answer = await confirm({ message, initialValue: isYes, input, output });
  if (isCancel(answer)) await stop(host, stopping);
  return answer === true;
}

/** Asks which of the unread columns to keep; none if nothing is chosen. */
async function askForColumns(
  host: Host,
  columns: readonly UnreadColumn[],
  stopping: AbortSignal,
): Promise<readonly string[]> {
  const { multiselect, isCancel } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = host;
  const message = `${countOf(columns.length, 'column')} would not be migrated. Which do you want to keep as custom data? (space selects, Enter continues)`;
  const options = columns.map(({ name, rows }) => ({
    value: name,
    label: truncate(oneLine(name), 40),
    hint: `${countOf(rows, 'row')} with a value`,
  }));
  const chosen = await multiselect<string>({ message, options, required: false, maxItems: shownMax, input, output });
  if (isCancel(chosen)) await stop(host, stopping);
  return Array.isArray(chosen) ? chosen : [];
}

/** A choice that stands for "something else". Its own object: no reading of an export is the same. */
const somethingElse = {};
const leaveOpen = {};

/** A signal to the own process arrives at once; this limit is for a machine that hangs. */
const signalMsMax = 10_000;

/** Choices on the screen at once. */
const shownMax = 12;

/**
 * Asks on the terminal which of several readings is right.
 *
 * @param stopping Aborted by Ctrl-C, which the terminal delivers as a key while it asks.
 * @returns The value, or undefined if it is left open.
 */
async function askFor(host: Host, finding: Finding, stopping: AbortSignal): Promise<unknown> {
  const { select, text, isCancel } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = host;
  const { key, value, because } = finding;
  const readings = listReadings(finding);
  const message = `${oneLine(key)}?${value === undefined ? ` ${truncate(oneLine(because), 120)}` : ''}`;
  const options = [
    ...readings.map((reading) => ({
      value: reading.value,
      label: oneLine(yamlLine(reading.value)),
      hint: truncate(oneLine(reading.because), 100),
    })),
    { value: somethingElse, label: 'Something else' },
    { value: leaveOpen, label: 'Decide later, in the mapping' },
  ];
  // One group for all is never what a hasty Enter takes.
  const initialValue = readings[0]?.isLastResort ? leaveOpen : readings[0]?.value;
  const chosen =
    readings.length === 0
      ? somethingElse
      : await select<unknown>({ message, options, initialValue, maxItems: shownMax, input, output });
  if (isCancel(chosen)) await stop(host, stopping);
  if (chosen === leaveOpen) return undefined;
  if (chosen !== somethingElse) return chosen;
  const written = await text({
    message: `${oneLine(key)}:`,
    placeholder: 'Nothing: decide later, in the mapping',
    input,
    output,
  });
  if (isCancel(written)) await stop(host, stopping);
  return typeof written === 'string' && written.trim() !== '' ? parseValue(written) : undefined;
}

/** As Ctrl-C at any other moment: the command ends by its signal. */
async function stop(host: Host, stopping: AbortSignal): Promise<never> {
  host.interrupt();
  // Waiting for the signal alone would not keep the process alive until it comes.
  await sleep(signalMsMax, undefined, { signal: stopping }).catch(() => {});
  throw stopping.reason;
}
