import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Variables of a program that is killed before it gives a file its name, or removes one, as if by `kill -9`.
 *
 * @param folder One that is not an export. @param step 0: before the first of these changes; undefined: not yet, see `killAtStep`.
 */
export function killedAtStep(folder: string, step?: number): Record<string, string> {
  const plan = planPath(folder);
  if (step !== undefined) killAtStep(folder, step);
  const preload = pathToFileURL(join(import.meta.dirname, 'kill-at-step.ts')).href;
  return { NODE_OPTIONS: `--import=${preload}`, KILL_AT_STEP: plan };
}

/** From now on the changes count. */
export const killAtStep = (folder: string, step: number): void => writeFileSync(planPath(folder), String(step));

const planPath = (folder: string): string => join(folder, '..', 'kill-at-step');
