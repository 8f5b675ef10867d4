import { connectToServers, type Recognised, describeExport } from '../../decisions/recognise.ts';
import { ChatferryError } from '../../lib/errors.ts';
import { copyForRehearsal } from '../runs/rehearsal-copy.ts';
import type { CallContext } from './call-context.ts';
import { type Look, lookAtStores } from './held-store.ts';
import type { ToOpen } from './opened.ts';
import { choiceCalls } from './choice-calls.ts';
import { type PeopleFacts, peopleCalls, writeSettings } from './people-calls.ts';
import type { Card, CardPreview, SchemaView, TableView } from '../shapes.ts';
import type { AnswerCall, DecideFacts, Made } from './decisions.ts';
import type { Considered } from './previews.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readStore } from '../../store/open.ts';
import { readTrust } from '../../config/trusted-files.ts';
import { loadMapping, type Mapping } from '../../mapping/load.ts';
import type { ReportFormat } from '../../model/report-formats.ts';
import { withDecisions } from '../../report/decision-log.ts';
import { renderHtml } from '../../report/html.ts';
import type { ReportData } from '../../report/report-data.ts';
import { withoutPeople } from '../../report/without-people.ts';
import { writeReport } from '../../report/report-files.ts';

export type { CallContext };

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

const decideCalls = {
  /** Open ones first. @throws SourceError, UsageError */
  cards: async (facts: DecideFacts, { opened, decisions }: CallContext): Promise<readonly Card[]> =>
    await decisions.cards(await opened.get(facts), facts),

  /** @throws SourceError, UsageError, StoreError */
  async preview(
    { card, answer, text, ...facts }: DecideFacts & Considered & { readonly card: string },
    { opened, decisions, signal }: CallContext,
  ): Promise<CardPreview> {
    return await decisions.preview(await opened.get(facts), { facts, card, answer, text, signal });
  },

  /** Writes the mapping. @throws SourceError, UsageError */
  answer: async (call: AnswerCall, { opened, decisions, signal }: CallContext): Promise<Made> =>
    await decisions.answer(await opened.get(call), call, signal),

  /** @throws SourceError, UsageError */
  schema: async (facts: DecideFacts, { opened, decisions }: CallContext): Promise<SchemaView> =>
    await decisions.schema(await opened.get(facts), facts),

  /** Null if there is no table of that name. @throws SourceError, UsageError */
  table: async (
    { name, ...facts }: DecideFacts & { readonly name: string },
    { opened, decisions, signal }: CallContext,
  ): Promise<TableView | null> => (await decisions.table(await opened.get(facts), facts, name, signal)) ?? null,
};

export interface AboutReport {
  /** Path of the store that the report is about. */
  readonly store: string;
  readonly report: ReportData;
}

export interface AboutMapping {
  readonly store: string;
  /** Path of the mapping; undefined if there is none. */
  readonly mapping: string | undefined;
  readonly exports: readonly string[];
}

const reportCalls = {
  /** Whether the latest plan was made with the mapping and the table of uids as they are now. @throws StoreError */
  async isPlanOfMapping({ store: path, mapping: file, exports }: AboutMapping): Promise<boolean> {
    let mapping: Mapping;
    try {
      mapping = await loadMapping(file, { exports, trust: readTrust });
    } catch (error) {
      // Something in it is still to be decided, or wrong: it cannot be the one of a plan.
      if (error instanceof ChatferryError) return false;
      throw error;
    }
    return readStore(path, (store) => store.facts.read('mappingHash') === mapping.hash);
  },

  /** The report with the decisions of this moment. @throws StoreError */
  reportWithDecisions: async ({ store, report }: AboutReport): Promise<ReportData> => withDecisions(report, store),

  /** The same as one file to pass on. @throws StoreError */
  async reportPage({ store, report, isAnonymous }: AboutReport & { readonly isAnonymous: boolean }): Promise<string> {
    const decided = withDecisions(report, store);
    return renderHtml(isAnonymous ? withoutPeople(decided) : decided);
  },

  /** Writes the files of a report again, with the decisions of this moment. @throws StoreError */
  async noteSignOff({ store, report, folder }: AboutReport & { readonly folder: string }): Promise<ReportData> {
    const decided = withDecisions(report, store);
    const formats = fileNames.flatMap(([name, format]) => (existsSync(join(folder, name)) ? [format] : []));
    await writeReport(folder, decided, { formats });
    return decided;
  },
};

/** Files of a report that show decisions. */
const fileNames: readonly (readonly [name: string, format: ReportFormat])[] = [
  ['report.html', 'html'],
  ['report.json', 'json'],
  ['report.md', 'markdown'],
];

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

  /** Writes how tables are read, as `init` proposes it. @throws SourceError, UsageError */
  writeReading: (facts: PeopleFacts, context: CallContext) => writeSettings(facts, {}, context),

  /** Which process works on one of these stores. @throws StoreError */
  lookAtStores: ({ stores }: { readonly stores: readonly string[] }, { signal }: CallContext): Promise<Look> =>
    lookAtStores(stores, signal),

  ...decideCalls,
  ...peopleCalls,
  ...choiceCalls,
  ...reportCalls,
};

export type EngineCalls = typeof calls;
export type CallName = keyof EngineCalls;
export type CallRequest<Name extends CallName> = Parameters<EngineCalls[Name]>[0];
export type CallAnswer<Name extends CallName> = Awaited<ReturnType<EngineCalls[Name]>>;
