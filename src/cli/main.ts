import { CommanderError } from 'commander';
import { buildProgram } from './program.ts';
import { ChatferryError } from '../lib/errors.ts';
import { forTerminal } from '../lib/plain-text.ts';
import { storeErrorOf } from '../lib/sqlite.ts';
import { exitCodes, exitOfError } from '../report/exit-codes.ts';

/** Runs the command line. Sets the exit code; never throws. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that goes away (`| head`) ends the output, not the run.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const program = await buildProgram(argv.slice(2));
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Says what went wrong, once. @returns The exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const known = error instanceof ChatferryError ? error : storeErrorOf(error, 'the checkpoint store');
  if (!known) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.stderr.write('This is a fault of Chatferry. What was sent is in the store; the same command continues.\n');
    return exitCodes.fault;
  }
  process.stderr.write(`${forTerminal(known.message)}\n`);
  if (known.hint) process.stderr.write(`  ${forTerminal(known.hint)}\n`);
  return exitOfError(known);
}
