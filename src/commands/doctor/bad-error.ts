import { ChatferryError, DestinationError, SourceError, UsageError } from '../../lib/errors.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { bad, type Finding } from './finding.ts';

/** An error that would end an import, as a line. @throws whatever is none of ours. */
export function badError(name: string, error: unknown): Finding {
  if (!(error instanceof ChatferryError)) throw error;
  return bad(name, error.message, error.hint ?? 'Look at the message above', exitOf(error));
}

function exitOf(error: ChatferryError) {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof SourceError) return exitCodes.source;
  return error instanceof DestinationError ? exitCodes.stopped : exitCodes.store;
}
