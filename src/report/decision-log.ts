import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { answerOf, type GivenAnswer, plannedAnswers } from '../decisions/answers.ts';
import { readStore, type Store } from '../store/open.ts';
import { StoreError, UsageError } from '../lib/errors.ts';
import { readOnce } from '../lib/text/schema-words.ts';
import { inTurn } from '../lib/file-lock.ts';
import { replaceFileSync } from '../lib/files/atomic-file.ts';
import { defaultRules } from '../mapping/rules.ts';
import { idPattern } from '../service/profiles.ts';
import { isTable, keyPath, listLeaves, parseValue, valueAt } from '../lib/settings.ts';
import type { ReportData } from './report-data.ts';

/** Instants of the file are ISO 8601 with a zone. */
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** `chatferry.decisions.json`. Other keys are for programs that write it. */
const logSchema = z.object({
  version: z.literal(1),
  decisions: z
    .array(
      z.object({
        /** A key of the mapping, as `--set` takes it, or the code of a finding that was accepted. */
        key: z.string().min(1),
        /** The value, as `--set` takes it, or words. */
        answer: z.string(),
        before: z.string().nullable().default(null),
        by: z.string().min(1),
        at: instant,
        /** The same in words: `Unknown authors: Leave out their messages`. */
        about: z.string().optional(),
        /** The card of the desk on which it was decided. */
        card: z.string().optional(),
        /** The evidence and the options that were shown. */
        shown: z.array(z.string()).optional(),
      }),
    )
    .default([]),
  signedOff: z
    .object({
      by: z.string().min(1),
      note: z.string().default(''),
      at: instant,
      /** `pins` of the report that was signed off. */
      pins: z.object({ export: z.string(), mapping: z.string(), profile: z.string() }),
      totals: z.object({ planned: z.int(), skipped: z.int(), invalid: z.int() }).optional(),
    })
    .nullable()
    .default(null),
});
type DecisionLog = z.infer<typeof logSchema>;

export interface LoggedDecision extends GivenAnswer {
  /** The value that the mapping had before; null if it said nothing. */
  readonly before: string | null;
  /** The same in words: `Unknown authors: Leave out their messages`. */
  readonly about?: string | undefined;
  /** The evidence and the options that were shown. */
  readonly shown?: readonly string[] | undefined;
}

/** Decisions that a report shows: the latest. */
const decisionsMax = 500;
/** Bytes: some 100,000 decisions. */
const bytesMax = 16 * 1024 * 1024;

/** `chatferry.db` → `chatferry.decisions.json`, next to it. */
export const logPathOf = (storePath: string): string => `${storePath.replace(/\.db$/, '')}.decisions.json`;

/**
 * Returns who decided what, as the file next to the store says, and whether the plan still has it so; nothing if there is no such file. A
 * file that cannot be used is named in the report: it never ends a run whose messages are sent.
 */
export function collectAnswers(
  store: Store,
  totals: SignedTotals,
): Pick<ReportData, 'answers' | 'answersFault' | 'signedOff'> {
  const path = logPathOf(store.path);
  let log: DecisionLog | undefined;
  try {
    log = readLog(path);
  } catch (error) {
    return { answersFault: `Cannot read "${basename(path)}": ${describeFault(error)}` };
  }
  if (log === undefined) return {};
  const holds = comparison(store);
  const { signedOff } = log;
  return {
    answers: log.decisions
      .slice(-decisionsMax)
      .map(({ at, card: _, shown: __, ...decision }) => ({ ...decision, atMs: at, holds: holds(decision) })),
    ...(signedOff && {
      signedOff: {
        by: signedOff.by,
        note: signedOff.note,
        atMs: signedOff.at,
        isCurrent: matchesPlan(signedOff, store, totals),
      },
    }),
  };
}

/**
 * The destination is often named after the plan was signed off. Its limits count as another plan only if it takes other messages than the signed one:
 * as many planned, skipped and invalid ones of the same export under the same mapping are the same ones.
 */
function matchesPlan(
  { pins: signed, totals: then }: NonNullable<DecisionLog['signedOff']>,
  store: Store,
  { planned, skipped, invalid }: SignedTotals,
): boolean {
  const pins = store.files.pins();
  const takesTheSame = isDeepStrictEqual(then, { planned, skipped, invalid });
  return (
    pins?.export === signed.export &&
    pins.mapping === signed.mapping &&
    (pins.profile === signed.profile || takesTheSame)
  );
}

/** The report of a store with the decisions that its file has now. @throws StoreError */
export function withDecisions(report: ReportData, storePath: string): ReportData {
  const { answers: _, answersFault: __, signedOff: ___, ...rest } = report;
  return readStore(storePath, (store) => {
    const facts = plannedAnswers(store, readGiven(storePath));
    const decisions = report.decisions.map((decision) => ({ ...decision, answer: answerOf(decision, facts) }));
    return { ...rest, decisions, ...collectAnswers(store, report.totals) };
  });
}

/** The same; none if the file cannot be used, which `collectAnswers` says. */
export function readGiven(storePath: string): readonly LoggedDecision[] {
  try {
    return readDecisions(storePath);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Returns who decided what, oldest first; none if nothing was decided. @throws UsageError if the file next to the store cannot be used */
export function readDecisions(storePath: string): readonly LoggedDecision[] {
  const path = logPathOf(storePath);
  return used(path, 'read', () =>
    (readLog(path)?.decisions ?? []).map(({ at, ...decision }) => ({ ...decision, atMs: at })),
  );
}

/**
 * Adds decisions to the file next to the store, after those that are there.
 *
 * @throws UsageError if the file cannot be used or written; it then stays as it is.
 */
export function addDecisions(storePath: string, added: readonly LoggedDecision[]): void {
  const lines = added.map(({ atMs, ...decision }) => ({ ...decision, at: new Date(atMs).toISOString() }));
  rewrite(logPathOf(storePath), ({ decisions, ...log }) => ({
    ...log,
    decisions: [...((decisions as readonly unknown[] | undefined) ?? []), ...lines],
  }));
}

/** The totals that a signature is about. */
type SignedTotals = Pick<ReportData['totals'], 'planned' | 'skipped' | 'invalid'>;

/** A signature under the plan with these pins. */
export interface SignOff {
  readonly by: string;
  /** May be empty. */
  readonly note: string;
  readonly atMs: number;
  readonly pins: NonNullable<ReportData['pins']>;
  readonly totals: SignedTotals;
}

/**
 * Signs a plan off, in place of an earlier signature.
 *
 * @throws UsageError if the file next to the store cannot be used or written; it then stays as it is.
 */
export const signOff = (
  storePath: string,
  { atMs, totals: { planned, skipped, invalid }, ...signature }: SignOff,
): void =>
  rewrite(logPathOf(storePath), (log) => ({
    ...log,
    signedOff: { ...signature, totals: { planned, skipped, invalid }, at: new Date(atMs).toISOString() },
  }));

/**
 * What other programs wrote into the file stays, also the decisions that another process adds at the same instant.
 *
 * @param change Gets the file as it is, with `version` alone if there is none.
 */
function rewrite(path: string, change: (log: Readonly<Record<string, unknown>>) => object): void {
  used(path, 'write', () =>
    inTurn(path, () => {
      readLog(path);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '{"version":1}';
      const changed = change(JSON.parse(text));
      logSchema.parse(changed, readOnce);
      const written = `${JSON.stringify(changed, null, 2)}\n`;
      if (Buffer.byteLength(written) > bytesMax) throw tooLarge();
      replaceFileSync(path, written);
    }),
  );
}

/** @throws UsageError in place of what `use` throws */
function used<Result>(path: string, verb: 'read' | 'write', use: () => Result): Result {
  try {
    return use();
  } catch (cause) {
    const ofFile = 'Correct the file, or move it away: decisions are then noted in a new one';
    const hint = cause instanceof StoreError ? cause.hint : ofFile;
    throw new UsageError(`Cannot ${verb} "${path}": ${describeFault(cause)}`, { hint, cause });
  }
}

function readLog(path: string): DecisionLog | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  if (size > bytesMax) throw tooLarge();
  return logSchema.parse(JSON.parse(readFileSync(path, 'utf8')), readOnce);
}

const tooLarge = () => new Error('it has more than 16 MiB');

function describeFault(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  return `${path.join('.') || 'the file'}: ${message}`;
}

type Compared = Pick<LoggedDecision, 'key' | 'answer'>;

/**
 * Compares decisions with the latest plan: null for what is no key of its rules, and for keys of `source`, which a source may keep in another
 * form, if they are not simply equal.
 */
function comparison(store: Store): (decision: Compared) => boolean | null {
  const rules: unknown = JSON.parse(store.facts.read('rules') ?? '{}');
  const source: unknown = JSON.parse(store.facts.read('sourceOptions') ?? '{}');
  const uidOf = plannedUids(store);
  return ({ key, answer }) => {
    const path = keyPath(key);
    const [first = '', ...rest] = path;
    const value = parseValue(answer);
    const id = idInUids.exec(key)?.[1];
    if (first === 'source') return hasValue(source, rest, value) || null;
    if (id !== undefined) return hasUid(uidOf(path.at(-1)!) ?? uidOf(id), answer);
    if (key === 'people.merge' && isMerges(value)) return isMerged(valueAt(rules, path), value);
    return Object.hasOwn(defaultRules(), first) ? hasValue(rules, path, value) : null;
  };
}

/** A uid may be set in the mapping or in its table: in both cases the plan has given it. */
const idInUids = /^people\.uids\.(.+)$/s;

/** Uids of the latest plan by the ids of people in the export. */
function plannedUids(store: Store): (id: string) => string | undefined {
  return (id) => {
    const person = store.people.find(id);
    return person && store.totals.person(person.id).uid;
  };
}

/** Null for words, and for people who are not in the plan. */
const hasUid = (uid: string | undefined, answer: string): boolean | null =>
  uid === undefined || !idPattern.test(answer) ? null : uid === answer;

const isMerges = (value: unknown): value is readonly (readonly unknown[])[] =>
  Array.isArray(value) && value.length > 0 && value.every(Array.isArray);

/** Whether those who were made one still are: others may have joined them. */
const isMerged = (merges: unknown, lists: readonly (readonly unknown[])[]): boolean =>
  isMerges(merges) && lists.every((list) => merges.some((merged) => list.every((id) => merged.includes(id))));

/** Whether settings have a value; of a table, all that it says. A plain value may be short for the `from` of a table. */
function hasValue(settings: unknown, path: readonly string[], value: unknown): boolean {
  if (isTable(value)) return listLeaves(value).every(([inner, leaf]) => hasValue(settings, [...path, ...inner], leaf));
  const found = valueAt(settings, path);
  return isDeepStrictEqual(found, value) || (isTable(found) && isDeepStrictEqual(found.from, value));
}
