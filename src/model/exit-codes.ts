import { DestinationError, SourceError, StoreError, UsageError } from '../lib/errors.ts';

/** Exit codes of a command. The first that applies is used, in the order of `precedence`. */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  someFailed: 3,
  source: 4,
  stopped: 5,
  differences: 6,
  store: 7,
  needsPerson: 8,
  interrupted: 130,
  terminated: 143,
} as const;

export function errorExitCode(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof SourceError) return exitCodes.source;
  if (error instanceof DestinationError) return error.needsPerson ? exitCodes.needsPerson : exitCodes.stopped;
  if (error instanceof StoreError) return exitCodes.store;
  return exitCodes.fault;
}

/** The first that applies is what a command with several parts ends with. */
const precedence = [
  ...[exitCodes.interrupted, exitCodes.terminated, exitCodes.fault, exitCodes.store, exitCodes.usage],
  exitCodes.needsPerson,
  ...[exitCodes.source, exitCodes.stopped, exitCodes.differences, exitCodes.someFailed],
];

/** Returns the most severe of several exit codes; 0 if there is none. */
export const worstExit = (exits: readonly number[]): number =>
  precedence.find((exit) => exits.includes(exit)) ?? exitCodes.done;
