/**
 * Everything a report shows, taken from the checkpoint store in one read. The JSON report is this object;
 * the terminal summary and the HTML page are drawn from it and from nothing else.
 * Counts are messages unless said otherwise; times are epoch milliseconds.
 */
import { z } from 'zod';
import type { Decision } from '../decisions/decision.ts';
import type { Same } from '../lib/same.ts';
import { actionKinds } from '../model/action.ts';
import { arrivalKinds } from '../model/arrival.ts';
import type { Severity } from '../model/severity.ts';
import {
  deliveryTotalsSchema,
  noTotals,
  type Totals,
  totalsSchema,
  verifyCountsSchema,
  type VerifyResult,
  verifyResultSchema,
} from '../model/totals.ts';
import { changeKinds, driftPolicies } from '../model/change.ts';

const count = z.int().nonnegative();

const exampleSchema = z.object({
  location: z.string(),
  detail: z.string(),
  excerpt: z.string().optional(),
});

const groupSchema = z.lazy(() =>
  z.object({
    code: z.string(),
    severity: z.enum(['blocks', 'decision', 'information']),
    title: z.string(),
    inShort: z.string().optional(),
    explanation: z.string(),
    remedy: z.string(),
    count,
    examples: z.array(exampleSchema),
  }),
);

/** The picture of a reading, and why nothing is sent by it, a sentence each. */
const readingSchema = z.lazy(() =>
  z.object({
    digest: z.string(),
    state: z.enum(['proposed', 'confirmed', 'by hand']),
    by: z.string().nullable(),
    at: z.string().nullable(),
    stops: z.array(z.string()),
    /** Tables and columns that are new in the export since then, and are not read. */
    news: z.array(z.string()),
    picture: z.array(z.tuple([z.string(), z.string()])),
  }),
);

const optionSchema = z.lazy(() =>
  z.object({
    does: z.string(),
    effect: z.union([
      z.object({ sets: z.record(z.string(), z.string()) }),
      z.object({ asks: z.string(), example: z.string() }),
      z.object({ runs: z.string() }),
      z.object({ outside: z.literal(true) }),
    ]),
    because: z.string(),
    isProposed: z.boolean(),
    isLastResort: z.boolean(),
  }),
);

/** A question about the export to its owner. */
const decisionSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    question: z.string(),
    why: z.string(),
    about: z.object({
      count: count.nullable(),
      of: z.enum(['messages', 'rows', 'people', 'conversations', 'files', 'findings']),
      /** False: `count` is an estimate. */
      isExact: z.boolean(),
      /** Nothing that is planned hangs on it. */
      isIdle: z.literal(true).optional(),
    }),
    examples: z.array(z.string()),
    /** Those with `outside` are to be done elsewhere. */
    options: z.array(optionSchema),
    input: z
      .object({
        type: z.enum(['column', 'values', 'zone', 'table', 'person', 'text']),
        key: z.string(),
        label: z.string(),
      })
      .optional(),
    ifUndecided: z.union([
      z.object({ stops: z.literal(true) }),
      z.object({ sends: z.string() }),
      z.object({ keepsBack: z.string() }),
    ]),
    isOptional: z.literal(true).optional(),
    answer: z
      .object({
        /** Index of the option; null for another value. */
        option: z.int().nullable(),
        value: z.string(),
        by: z.string().nullable(),
        atMs: z.int().nullable(),
        holds: z.boolean(),
      })
      .nullable(),
  }),
);

/** Something that the export has and the service cannot hold. */
const lossSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    count,
    what: z.string(),
    becomes: z.string(),
    /** `missed`: people will notice. `hidden`: kept, and not shown. */
    group: z.enum(['missed', 'hidden', 'detail']),
    /** Key of the mapping that changes its result. */
    setting: z.string().optional(),
    /** Location of a message that has it. */
    example: z.string().optional(),
  }),
);

/** One kind of what follows the messages: `planned = done + existing + failed + pending + unconfirmed`. */
const actionTotalsSchema = z.lazy(() =>
  z.object({
    planned: count,
    done: count,
    /** It was so before, as the service says. */
    existing: count,
    failed: count,
    pending: count,
    unconfirmed: count,
    /** Done or tried once, and not in the export any more: nothing is taken back. Outside the sum. */
    withdrawn: count,
  }),
);
export type ActionTotals = z.infer<typeof actionTotalsSchema>;

/** Actions after the messages: friends, reactions, blocks, deactivations. */
const actionsSchema = z.lazy(() =>
  z.object({
    /** By kind, in the order in which they are done. */
    kinds: z.partialRecord(z.enum(actionKinds), actionTotalsSchema),
    /** Failed with one code, most first. */
    failed: z.array(
      z.object({ kind: z.enum(actionKinds), code: z.string(), count, explanation: z.string(), detail: z.string() }),
    ),
    /** Each remaining action takes a request; minutes are null if the destination's rate is not known. */
    forecast: z.object({ requests: count, minutes: z.number().nullable() }),
  }),
);
export type ActionsData = z.infer<typeof actionsSchema>;

/** People, groups or memberships. Both sums hold, as they do for messages. */
const arrivalTotalsSchema = z.lazy(() =>
  z.object({
    read: count,
    skipped: count,
    invalid: count,
    ...deliveryTotalsSchema.shape,
    /** Imported once, and not in the plan any more. Outside the sums. */
    withdrawn: count,
    /** Imported, and changed in the export since: the service has no operation for that. Outside the sums. */
    changed: count,
    /** Memberships for the time of the import: those still to be taken back, those that stay, and those taken back. Outside the sums. */
    leaving: count,
    staying: count,
    left: count,
    /** Memberships whose beginning the export does not say: it is that of the group's first message. Outside the sums. */
    assumed: count,
  }),
);
export type ArrivalTotals = z.infer<typeof arrivalTotalsSchema>;

const leftOutSchema = z.lazy(() => z.array(z.object({ kind: z.enum(arrivalKinds), reason: z.string(), count })));

/** People, groups and memberships that are imported before the messages. */
const arrivalsSchema = z.lazy(() =>
  z.object({
    /** By kind, in the order in which they are imported. */
    kinds: z.partialRecord(z.enum(arrivalKinds), arrivalTotalsSchema),
    skipped: leftOutSchema,
    invalid: leftOutSchema,
    /** Failed with one code, most first. */
    failed: z.array(
      z.object({ kind: z.enum(arrivalKinds), code: z.string(), count, explanation: z.string(), detail: z.string() }),
    ),
  }),
);
export type ArrivalsData = z.infer<typeof arrivalsSchema>;

/** Changes at the source after messages were sent to this destination. Counts are changes: a message may change more than once. */
const driftSchema = z.lazy(() =>
  z.object({
    kinds: z.partialRecord(z.enum(changeKinds), count),
    /** Those that the latest plan noticed. */
    noticed: z.partialRecord(z.enum(changeKinds), count),
    /** By kind and by how it is handled, most first; examples are the latest. Ignored changes are only counted. */
    changes: z.array(
      z.object({
        kind: z.enum(changeKinds),
        policy: z.enum(driftPolicies),
        count,
        examples: z.array(z.object({ location: z.string(), detail: z.string() })),
      }),
    ),
  }),
);
export type DriftData = z.infer<typeof driftSchema>;

/** Files of planned messages that are copied to their final location. */
const mediaSchema = z.lazy(() =>
  z.object({
    /** Each as often as messages have it: `files = copied + shared + missing + refused + waiting`. */
    files: count,
    /** Different contents. */
    copied: count,
    /** The same content as one of them. */
    shared: count,
    /** Not there. */
    missing: count,
    /** Not to be copied. */
    refused: count,
    /** Not tried yet, or to be tried again. */
    waiting: count,
    copiedBytes: count,
    /** Location of the files, without secrets; null if none was given. */
    location: z.string().nullable(),
    /** Messages that are not sent before their files are copied, or a person decides. */
    waitingMessages: count,
    /** Files still to be copied, each once. */
    left: z.object({
      files: count,
      /** Bytes of files whose size is known, and the number of files whose size is not. */
      bytes: count,
      unsized: count,
      /** Bytes a second at most; null without a limit. */
      bandwidth: count.nullable(),
      /** Time to fetch these bytes at that rate. */
      ms: z.number().nullable(),
      /** Whose address has stopped working, or stops within a day, within a week, later. */
      expiring: z.object({ expired: count, day: count, week: count, later: count, firstAtMs: z.int().nullable() }),
    }),
    /** Hosts from which files come, each once, most first, at most 20; null is the export itself. `hostCount` is the number of all. */
    hosts: z.array(
      z.object({ host: z.string().nullable(), files: count, copied: count, bytes: count, unsized: count }),
    ),
    hostCount: count,
    /** Files that the export names without having them, outside the sum: there is nothing to copy. */
    notInExport: count,
    /** Files that could not be copied, each once, at most 100; `faultCount` says how many there are. */
    faults: z.array(
      z.object({
        state: z.enum(['missing', 'refused', 'failed']),
        name: z.string(),
        host: z.string().nullable(),
        reason: z.string(),
        /** Location of the first message that has it. */
        location: z.string(),
      }),
    ),
    faultCount: count,
    /** Codes of checks that copying settles: what they found is no problem any more. */
    settled: z.array(z.string()),
  }),
);
export type MediaData = z.infer<typeof mediaSchema>;

/** A row of a table as it was read, cut like excerpts are, and the message that it became. */
const readRowSchema = z.lazy(() =>
  z.object({
    /** `path:line` or `path#/pointer`. */
    place: z.string(),
    /** Columns that the mapping names. */
    row: z.array(z.object({ column: z.string(), value: z.string() })),
    /** Time, author, conversation, text and what else it has. */
    message: z.array(z.object({ part: z.string(), text: z.string() })),
  }),
);
export type ReadRow = z.infer<typeof readRowSchema>;

export const reportDataSchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** Present if names, texts and locations were left out, and conversations numbered: `chatferry report --anonymous`. */
    anonymous: z.literal(true).optional(),
    generatedAtMs: z.int(),
    chatferryVersion: z.string(),
    command: z.string(),
    runId: z.string().nullable(),
    exports: z.array(z.string()),
    source: z.string(),
    workspace: z.string(),
    store: z.string(),
    destination: z.object({ name: z.string(), profile: z.string() }).nullable(),
    totals: totalsSchema,
    skipped: z.array(groupSchema),
    invalid: z.array(groupSchema),
    failed: z.array(groupSchema),
    problems: z.array(groupSchema),
    /** Decisions that are open, or were taken: about findings, rows that cannot be sent, and messages that are left out by default. */
    decisions: z.array(decisionSchema),
    /** Who decided what, oldest first, the latest 500. Absent if no `chatferry.decisions.json` is next to the store. */
    answers: z
      .array(
        z.object({
          /** A key of the mapping, or the code of a finding that was accepted. */
          key: z.string(),
          answer: z.string(),
          /** The same in words, if the file has them: `Unknown authors: Leave out their messages`. */
          about: z.string().optional(),
          before: z.string().nullable(),
          by: z.string(),
          atMs: z.int(),
          /** Whether the latest plan was made so; null if it cannot be compared. */
          holds: z.boolean().nullable(),
        }),
      )
      .optional(),
    /** Why the answers cannot be shown; absent if they can. */
    answersFault: z.string().optional(),
    /** Who agreed to the migration, and whether it was the plan that the store has now. */
    signedOff: z.object({ by: z.string(), note: z.string(), atMs: z.int(), isCurrent: z.boolean() }).optional(),
    losses: z.array(lossSchema),
    /**
     * Messages that are older than the hosted service keeps them, if it is not known how long the destination does: of
     * those to be sent, at the sandbox of all that are planned. Absent if there are none, or it is known.
     */
    oldMessages: z.object({ days: count, count }).optional(),
    /** For tables: what becomes of the rows, and whether a person has confirmed it. */
    reading: readingSchema.optional(),
    /** For tables: up to six rows of different kinds. Absent if this run read nothing. */
    rowsRead: z.array(readRowSchema).optional(),
    files: z.object({ shared: count, rows: count, skipped: count, unknown: count }),
    /** Files of which nothing was read, by the reason, most first, at most 50. */
    ignored: z.array(z.object({ reason: z.string(), count, example: z.string() })),
    people: z.object({ total: count, bots: count, deleted: count, placeholders: count }),
    /** Conversations by number of planned messages, most first, at most 500; `conversationCount` says how many there are. */
    conversationCount: count,
    plannedConversationCount: count,
    conversations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Target: `group engineering` or `user alice + bob`. */
        target: z.string(),
        read: count,
        ...deliveryTotalsSchema.shape,
        firstAtMs: z.int().nullable(),
        lastAtMs: z.int().nullable(),
      }),
    ),
    /** Planned messages per calendar month, UTC, oldest first, months without messages left out. */
    months: z.array(z.object({ month: z.string(), count })),
    /** Planned messages per day, UTC, oldest first, days without messages left out. Only if there are at most two months. */
    days: z.array(z.object({ day: z.string(), count })).optional(),
    /** Content of the export, counted over every row that was read and over those planned; each is a row, a file or a reaction. */
    contents: z.array(z.object({ name: z.string(), read: count, planned: count })),
    /** The people who wrote most, at most 20. */
    authors: z.array(z.object({ name: z.string(), uid: z.string(), count })),
    /** Hosts of the files of planned messages, most first, at most 50; `attachmentHostCount` is the number of all. */
    attachmentHostCount: count,
    attachmentHosts: z.array(z.object({ host: z.string(), count })),
    /** Digests of what the plan was made of, and what of them changed since the plan before, in words. */
    pins: z.object({ export: z.string(), mapping: z.string(), profile: z.string() }).nullable(),
    changedSince: z.array(z.string()),
    /** Cost of sending the pending messages. `minutes` and `endAtMs` are null if the destination's rate is not known. */
    forecast: z.object({
      /** Import requests, and requests that read: opening conversations, verifying. */
      requests: count,
      reads: count,
      bytes: count,
      ratePerMinute: z.number().nullable(),
      minutes: z.number().nullable(),
      startAtMs: z.int(),
      endAtMs: z.int().nullable(),
      faster: z.array(z.object({ ratePerMinute: z.number(), minutes: z.number() })),
      storeBytes: count,
      storeBytesAfter: count,
      freeBytes: count.nullable(),
    }),
    /** Changes at the source after messages were sent there; absent if there were none. */
    drift: driftSchema.optional(),
    /** Messages that report changes, outside the totals of the export; absent if there are none. */
    followUps: deliveryTotalsSchema.optional(),
    /** Files that are copied to their final location; absent if none are to be. */
    media: mediaSchema.optional(),
    /** People and groups; absent where the destination has no operations that import them. */
    arrivals: arrivalsSchema.optional(),
    /** Actions after the messages; absent if no plan asked for any. */
    actions: actionsSchema.optional(),
    requests: z.object({
      import: count,
      list: count,
      retried: count,
      rateLimited: count,
      /** Requests for actions; absent if none was made. */
      action: count.optional(),
    }),
    elapsedMs: z.number().nullable(),
    verify: verifyResultSchema.nullable(),
    /**
     * Messages that were sent and not verified without a difference since: from when on, in how many conversations, and
     * whether something is known to differ or was not checked. Absent if everything was verified.
     */
    unverified: z.object({ sinceMs: z.int(), conversations: count, differing: z.boolean() }).optional(),
    /** Conversations in which something differed when they were read back whole, most first, at most 50. */
    differingConversations: z.array(verifyCountsSchema.extend({ id: z.string(), name: z.string() })),
    /** Differences, at most 50 examples. */
    differences: z.array(
      z.object({
        kind: z.string(),
        muid: z.string(),
        conversation: z.string(),
        detail: z.string(),
        location: z.string(),
      }),
    ),
    stopped: z
      .object({
        code: z.string(),
        message: z.string(),
        hint: z.string().nullable(),
        goOn: z.array(z.string()).optional(),
        needsPerson: z.literal(true).optional(),
      })
      .nullable(),
  }),
);
type Data = Omit<z.infer<typeof reportDataSchema>, 'decisions'>;

/** Data of a report. Counts are messages unless a field says otherwise. `report.json` has more fields: see its schema. */
export interface ReportData {
  /** The command that wrote this report: `plan`, `import`, `verify`, `report`. */
  readonly command: string;
  readonly runId: string | null;
  /** The input: the export's labels, its source and workspace. */
  readonly exports: string[];
  readonly source: string;
  readonly destination: { name: string; profile: string } | null;
  readonly totals: Totals;
  /** Rows that a rule leaves out. */
  readonly skipped: ReportGroup[];
  readonly invalid: ReportGroup[];
  readonly failed: ReportGroup[];
  readonly problems: ReportGroup[];
  readonly people: { total: number; bots: number; deleted: number; placeholders: number };
  /** Result of reading back; null if nothing was read back. */
  readonly verify: VerifyResult | null;
  /** Why the run stopped before its end, if it did. */
  readonly stopped: StopReason | null;
}

/** @internal The whole of it. */
export interface ReportData extends Data {
  readonly decisions: readonly Decision[];
}

export interface StopReason {
  code: string;
  message: string;
  hint: string | null;
  /** Options with which the same command continues, the likeliest first, if a decision is needed. */
  goOn?: string[] | undefined;
  /** No later run continues by itself. */
  needsPerson?: true | undefined;
}

/** Things of one kind: rows skipped by a rule, invalid rows and failed messages by code, problems by code. */
export interface ReportGroup {
  code: string;
  /** `blocks`: messages are not sent. `decision`: they are sent, and a person should decide whether that is right. */
  severity: Severity;
  /** A heading; the code itself if nothing explains it. */
  title: string;
  /** A headline for invalid rows and failed messages: `older than the 183 days the service keeps`. */
  inShort?: string | undefined;
  /** Meaning, in whole sentences; may be empty. */
  explanation: string;
  /** Advice on what to do; may be empty. */
  remedy: string;
  count: number;
  /** A few places: `path:line` or `path#/pointer`, and the beginning of the row if it may be shown. */
  examples: { location: string; detail: string; excerpt?: string | undefined }[];
}
true satisfies Same<z.output<typeof groupSchema>, ReportGroup>;

/** Whether a destination is the embedded sandbox, by the name that reports have for it. */
export const isSandbox = ({ name }: { readonly name: string }): boolean => /^sandbox( |$)/.test(name);

export function sumActions(actions: ActionsData | undefined): ActionTotals {
  const sum = { planned: 0, done: 0, existing: 0, failed: 0, pending: 0, unconfirmed: 0, withdrawn: 0 };
  for (const totals of Object.values(actions?.kinds ?? {})) {
    for (const key of Object.keys(sum) as (keyof ActionTotals)[]) sum[key] += totals[key];
  }
  return sum;
}

/** All kinds together. */
export function sumArrivals(arrivals: ArrivalsData | undefined): ArrivalTotals {
  const sum = { ...noTotals(), withdrawn: 0, changed: 0, leaving: 0, staying: 0, left: 0, assumed: 0 };
  for (const totals of Object.values(arrivals?.kinds ?? {})) {
    for (const key of Object.keys(totals) as (keyof ArrivalTotals)[]) sum[key] += totals[key];
  }
  return sum;
}

/**
 * Nothing was read of an export that a source recognised: no file of it has messages in a form that the source reads, or there are chats that
 * are left out. A file of messages that was read to its end and has none is empty because it says so.
 */
export const isPassedOver = ({ totals, files, problems }: Pick<ReportData, 'totals' | 'files' | 'problems'>): boolean =>
  totals.read === 0 && (files.rows === 0 || problems.some(({ code }) => code === 'unread-chat'));
