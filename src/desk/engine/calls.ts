import { type Recognised, recognisedOf } from '../../commands/recognise.ts';
import { copyForRehearsal } from '../runs/rehearsal-copy.ts';
import type { Card, CardPreview, SchemaView, TableView } from '../shapes.ts';
import { type AnswerCall, type DecideFacts, Decisions, type Made } from './decisions.ts';
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

const decisions = new WeakMap<OpenedExports, Decisions>();

/** The decisions about the export of a thread. */
function decisionsAbout(opened: OpenedExports): Decisions {
  const known = decisions.get(opened) ?? new Decisions();
  decisions.set(opened, known);
  return known;
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

  /** Open ones first. @throws SourceError, UsageError */
  cards: async (facts: DecideFacts, { opened }: CallContext): Promise<readonly Card[]> =>
    await decisionsAbout(opened).cards(await opened.get(facts), facts),

  /** @param request `answer`: its index; -1: as it is. @throws SourceError, UsageError, StoreError */
  async preview(
    { card, answer, ...facts }: DecideFacts & { readonly card: string; readonly answer: number },
    { opened, signal }: CallContext,
  ): Promise<CardPreview> {
    return await decisionsAbout(opened).preview(await opened.get(facts), { facts, card, answer, signal });
  },

  /** Writes the mapping. @throws SourceError, UsageError */
  answer: async (call: AnswerCall, { opened, signal }: CallContext): Promise<Made> =>
    await decisionsAbout(opened).answer(await opened.get(call), call, signal),

  /** @throws SourceError, UsageError */
  schema: async (facts: DecideFacts, { opened }: CallContext): Promise<SchemaView> =>
    await decisionsAbout(opened).schema(await opened.get(facts), facts),

  /** Null if there is no table of that name. @throws SourceError, UsageError */
  table: async (
    { name, ...facts }: DecideFacts & { readonly name: string },
    { opened, signal }: CallContext,
  ): Promise<TableView | null> =>
    (await decisionsAbout(opened).table(await opened.get(facts), facts, name, signal)) ?? null,

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
