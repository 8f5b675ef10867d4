import type { Card, CardPreview, SchemaView, TableView } from '../shapes.ts';
import type { CallContext } from './call-context.ts';
import { type AnswerCall, type DecideFacts, Decisions, type Made } from './decisions.ts';
import type { OpenedExports } from './opened.ts';
import type { Considered } from './previews.ts';

const decisions = new WeakMap<OpenedExports, Decisions>();

/** The decisions about the export of a thread. */
function decisionsAbout(opened: OpenedExports): Decisions {
  const known = decisions.get(opened) ?? new Decisions();
  decisions.set(opened, known);
  return known;
}

/** The calls of the step Decide. */
export const decideCalls = {
  /** Open ones first. @throws SourceError, UsageError */
  cards: async (facts: DecideFacts, { opened }: CallContext): Promise<readonly Card[]> =>
    await decisionsAbout(opened).cards(await opened.get(facts), facts),

  /** @throws SourceError, UsageError, StoreError */
  async preview(
    { card, answer, text, ...facts }: DecideFacts & Considered & { readonly card: string },
    { opened, signal }: CallContext,
  ): Promise<CardPreview> {
    return await decisionsAbout(opened).preview(await opened.get(facts), { facts, card, answer, text, signal });
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
};
