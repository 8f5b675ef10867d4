import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, truncate } from '../../lib/plain-text.ts';
import { parseValue, yamlLine } from '../../commands/init/settings.ts';
import type { Host } from '../host.ts';
import type { Finding } from '../../sources/source.ts';

/** A choice that stands for "something else". Its own object: no reading of an export is the same. */
const somethingElse = {};
const leaveOpen = {};

/** A signal to oneself comes at once; this is for a machine that stands still. */
const signalMsMax = 10_000;

/** Choices on the screen at once. */
const shownMax = 12;

/**
 * Asks on the terminal which of several readings is right.
 *
 * @param stopping Aborted by Ctrl-C, which the terminal hands over as a key while it asks.
 * @returns The value, or nothing where it is left open.
 */
export async function askFor(host: Host, finding: Finding, stopping: AbortSignal): Promise<unknown> {
  const { select, text, isCancel } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = host;
  const { key, value, because, alternatives } = finding;
  const readings = [...(value === undefined ? [] : [{ value, because }]), ...alternatives];
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
  const chosen =
    readings.length === 0
      ? somethingElse
      : await select<unknown>({ message, options, maxItems: shownMax, input, output });
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
