import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Store } from '../checkpoint/open.ts';
import { defaultRules } from '../mapping/rules.ts';
import { isTable, keyPath, leavesOf, parseValue, valueAt } from '../mapping/settings.ts';
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
    })
    .nullable()
    .default(null),
});
type DecisionLog = z.infer<typeof logSchema>;

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
export function decisionsOf(store: Store): Pick<ReportData, 'decisions' | 'decisionsFault' | 'signedOff'> {
  const path = logPathOf(store.path);
  let log: DecisionLog | undefined;
  try {
    log = readLog(path);
  } catch (error) {
    return { decisionsFault: `Cannot read "${basename(path)}": ${whyOf(error)}` };
  }
  if (log === undefined) return {};
  const holds = comparison(store);
  const { signedOff } = log;
  return {
    decisions: log.decisions
      .slice(-decisionsMax)
      .map(({ at, ...decision }) => ({ ...decision, atMs: at, holds: holds(decision) })),
    ...(signedOff && {
      signedOff: {
        ...{ by: signedOff.by, note: signedOff.note, atMs: signedOff.at },
        isCurrent: isDeepStrictEqual(signedOff.pins, { ...store.staging.readPins() }),
      },
    }),
  };
}

function readLog(path: string): DecisionLog | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  if (size > bytesMax) throw new Error('it has more than 16 MiB');
  return logSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function whyOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  return `${path.join('.') || 'the file'}: ${message}`;
}

/**
 * Compares decisions with the rules of the latest plan: null for what is no key of them, and for keys of `source`, which a source may keep in
 * another form, if they are not simply equal.
 */
function comparison(store: Store): (decision: { readonly key: string; readonly answer: string }) => boolean | null {
  const rules: unknown = JSON.parse(store.readMeta('rules') ?? '{}');
  const source: unknown = JSON.parse(store.readMeta('sourceOptions') ?? '{}');
  return ({ key, answer }) => {
    const [first = '', ...rest] = keyPath(key);
    if (first === 'source') return hasValue(source, rest, parseValue(answer)) || null;
    return Object.hasOwn(defaultRules, first) ? hasValue(rules, [first, ...rest], parseValue(answer)) : null;
  };
}

/** Whether settings have a value; of a table, all that it says. A plain value may be short for the `from` of a table. */
function hasValue(settings: unknown, path: readonly string[], value: unknown): boolean {
  if (isTable(value)) return leavesOf(value).every(([inner, leaf]) => hasValue(settings, [...path, ...inner], leaf));
  const found = valueAt(settings, path);
  return isDeepStrictEqual(found, value) || (isTable(found) && isDeepStrictEqual(found.from, value));
}
