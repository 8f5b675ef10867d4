import { exitCodes } from '../report/exit-codes.ts';

/** The first that applies is what a command with several parts ends with. */
const precedence = [
  ...[exitCodes.interrupted, exitCodes.terminated, exitCodes.fault, exitCodes.store, exitCodes.usage],
  ...[exitCodes.source, exitCodes.stopped, exitCodes.differences, exitCodes.someFailed],
];

/** The gravest of several exit codes; 0 where there is none. */
export function worstExit(exits: readonly number[]): number {
  return precedence.find((exit) => exits.includes(exit)) ?? exitCodes.done;
}
