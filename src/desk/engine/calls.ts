import { connectToServers, type Recognised, describeExport } from '../../decisions/recognise.ts';
import type { ChatferryError } from '../../lib/errors.ts';
import { copyForRehearsal } from '../runs/rehearsal-copy.ts';
import type { CallContext } from './call-context.ts';
import { decideCalls } from './decide-calls.ts';
import { type Look, lookAtStores } from './held-store.ts';
import type { ToOpen } from './opened.ts';
import { peopleCalls } from './people-calls.ts';
import { reportCalls } from './report-calls.ts';

export type { CallContext };

/**
 * What the engine can be asked, each with one request and one answer that can be copied between threads. Whoever needs another one adds a
 * function here, and its words to `engine.ts`.
 */
export const calls = {
  /**
   * @param request Its `mapping` is a path. It may say where the password of a database is.
   * @throws SourceError, UsageError
   */
  async recognise(
    { mapping, ...request }: ToOpen & { readonly mapping?: string | undefined },
    { opened, signal }: CallContext,
  ): Promise<Recognised> {
    const found = await opened.get(request, true);
    await connectToServers(found, mapping, signal);
    return await describeExport(found);
  },

  /** @throws StoreError */
  async copyForRehearsal({ store, into }: { readonly store: string; readonly into: string }): Promise<void> {
    copyForRehearsal(store, into);
  },

  /** Which process works on one of these stores. @throws StoreError */
  lookAtStores: ({ stores }: { readonly stores: readonly string[] }, { signal }: CallContext): Promise<Look> =>
    lookAtStores(stores, signal),

  ...decideCalls,
  ...peopleCalls,
  ...reportCalls,
};

export type EngineCalls = typeof calls;
export type CallName = keyof EngineCalls;
export type CallRequest<Name extends CallName> = Parameters<EngineCalls[Name]>[0];
export type CallAnswer<Name extends CallName> = Awaited<ReturnType<EngineCalls[Name]>>;

/** A message to the thread: a call. */
export interface ToThread {
  readonly name: CallName;
  readonly request: unknown;
}

/** A message of the thread: how far the call is, or its end. `refused`: a person can put it right. */
export type FromThread =
  | { readonly done: number; readonly total: number | null }
  | { readonly answer: unknown }
  | { readonly refused: Pick<ChatferryError, 'message' | 'hint'> & Partial<Pick<ChatferryError, 'wants'>> }
  | { readonly fault: unknown };
