import { type Recognised, recognisedOf } from '../../commands/recognise.ts';
import { copyForRehearsal } from '../runs/rehearsal-copy.ts';
import { type Look, lookAtStores } from './held-store.ts';
import type { OpenedExports, ToOpen } from './opened.ts';
import { peopleCalls } from './people-calls.ts';
import type { PeopleMap } from './people-map.ts';
import { reportCalls } from './report-calls.ts';

/** What a call may use besides its request. */
export interface CallContext {
  /** The export, which stays open between calls. */
  readonly opened: OpenedExports;
  /** The people of the plan, which are read once. */
  readonly people: PeopleMap;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Says how far it is. */
  readonly progress: (done: number, total: number | null) => void;
}

/**
 * What the engine can be asked, each with one request and one answer that can be copied between threads. Whoever needs another one adds a
 * function here, and its words to `engine.ts`.
 */
export const calls = {
  /** @throws SourceError, UsageError */
  recognise: async (request: ToOpen, { opened }: CallContext): Promise<Recognised> =>
    await recognisedOf(await opened.get(request, true)),

  /** @throws StoreError */
  async copyForRehearsal({ store, into }: { readonly store: string; readonly into: string }): Promise<void> {
    copyForRehearsal(store, into);
  },

  /** Which process works on one of these stores. @throws StoreError */
  lookAtStores: ({ stores }: { readonly stores: readonly string[] }, { signal }: CallContext): Promise<Look> =>
    lookAtStores(stores, signal),

  ...peopleCalls,
  ...reportCalls,
};

export type EngineCalls = typeof calls;
export type CallName = keyof EngineCalls;
export type CallRequest<Name extends CallName> = Parameters<EngineCalls[Name]>[0];
export type CallAnswer<Name extends CallName> = Awaited<ReturnType<EngineCalls[Name]>>;

/** A message to the thread: a call, or that nobody waits for the one that runs. */
export type ToThread = { readonly name: CallName; readonly request: unknown } | { readonly abort: true };

/** A message of the thread: how far the call is, or its end. `refused`: a person can put it right. */
export type FromThread =
  | { readonly done: number; readonly total: number | null }
  | { readonly answer: unknown }
  | { readonly refused: { readonly message: string; readonly hint: string | undefined } }
  | { readonly fault: unknown };
