import type { Progress } from '../../lib/flow/progress.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';

/** Number of different stacks that are logged: to fix the reader, each is needed once, not a million times. */
const stacksMax = 100;

/** Hands on what rows threw to the log of a run, each stack with the first place at which it came up. */
export function unforeseenLog({ unforeseen }: Progress): ((error: unknown, location: Location) => void) | undefined {
  if (!unforeseen) return undefined;
  const seen = new Set<string>();
  return (error, location) => {
    const stack = framesOf(error);
    if (seen.has(stack) || seen.size >= stacksMax) return;
    seen.add(stack);
    unforeseen({ place: formatLocation(location), error: error instanceof Error ? error.name : typeof error, stack });
  };
}

/** Returns the stack without the message in front of it, which may quote text that a person wrote. */
const framesOf = (error: unknown): string => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n');
};
