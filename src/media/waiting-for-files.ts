import type { Store } from '../store/open.ts';
import { countOf } from '../lib/text/count.ts';
import { DestinationError } from '../lib/errors.ts';

/** Why a run does not end although everything else was done. */
export function waitingForFiles(store: Store, destination: number): DestinationError | undefined {
  const { messages, files } = store.media.countWaiting(destination);
  if (messages === 0) return undefined;
  return new DestinationError(
    `${countOf(messages, 'message')} ${messages === 1 ? 'waits' : 'wait'} for ${countOf(files, 'file')} that could not be copied, and so does what follows in the same conversation`,
    {
      code: waitingCode,
      hint: 'The report names the files. Once they can be had, the same command copies them; or decide what their messages go with:',
      goOn: ['--media-missing original', '--media-missing name'],
    },
  );
}

export const waitingCode = 'waiting-for-files';
