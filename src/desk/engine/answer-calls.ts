import { ChatferryError } from '../../lib/errors.ts';
import type { CallContext } from './call-context.ts';
import { calls, type FromThread, type ToThread } from './calls.ts';
import { Decisions } from './decisions.ts';
import { OpenedExports } from './opened.ts';
import { PeopleMap } from './people-map.ts';

/** Answers calls, wherever that runs. What one call has opened stays open for the next. @param say Called with how far a call is, and with its end. */
export function answerCalls(say: (message: FromThread) => void) {
  const [opened, people] = [new OpenedExports(), new PeopleMap()];
  const stopping = new AbortController();
  const progress: CallContext['progress'] = (done, total) => say({ done, total });
  const context: CallContext = { opened, decisions: new Decisions(), people, signal: stopping.signal, progress };
  return {
    async answer({ name, request }: ToThread): Promise<void> {
      try {
        // The client knows which request belongs to which name.
        const call = calls[name] as (request: unknown, context: CallContext) => unknown;
        say({ answer: await call(request, context) });
      } catch (error) {
        // An error would lose its hint between threads.
        if (error instanceof ChatferryError)
          say({ refused: { message: error.message, hint: error.hint, wants: error.wants } });
        else say({ fault: error });
      }
    },
    /** To be called between two calls, or to give up the one that runs. A thread does without: it ends as a whole. */
    async close(): Promise<void> {
      stopping.abort();
      people.close();
      await opened.close();
    },
  };
}
