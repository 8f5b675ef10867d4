import { DestinationError } from '../lib/errors.ts';
import { readFailed } from './read-back.ts';
import { openSession, type SendingSessionOptions } from './session.ts';
import type { Target } from './target.ts';

/** Neither is there if the key is taken. */
export interface AboutKey {
  /** The destination refuses every request until a person has acted. */
  readonly stopped?: DestinationError;
  /** Why it could not be asked. */
  readonly unasked?: DestinationError;
}

/** A run with nothing else to do is not kept longer by a destination that is silent. In ms. */
const patienceMs = 30_000;

/** Lists one message. For runs that send nothing: a key that was withdrawn would else be noticed with the next message only. */
export async function askWhetherKeyHolds(
  target: Target,
  options: Pick<SendingSessionOptions, 'clock' | 'random' | 'progress' | 'counts' | 'stopping'>,
): Promise<AboutKey> {
  if (target.isEmbedded || options.stopping.aborted) return {};
  const late = AbortSignal.timeout(patienceMs);
  const either = AbortSignal.any([options.stopping, late]);
  const session = openSession(target, options, { name: 'Asking about the key' });
  try {
    const answer = await session.ask((signal) => target.client.listMessages({ limit: 1 }, signal), either);
    if (answer.kind === 'answered') return {};
    const error = readFailed(answer);
    return error.needsPerson ? { stopped: error } : { unasked: error };
  } catch (error) {
    if (error instanceof DestinationError) return { unasked: error };
    if (options.stopping.aborted) return {};
    if (late.aborted) return { unasked: noAnswer(target) };
    throw error;
  } finally {
    session.close();
  }
}

const noAnswer = ({ name }: Target) =>
  new DestinationError(`${name} did not say within ${patienceMs / 1000} s whether it takes the key`, {
    code: 'no_answer',
  });
