import type { FaultPlanInput } from '../../sandbox/fault-plan.ts';
import type { ExportShape } from './make-export.ts';

/** Faults, and how they occur. */
export interface Scenario {
  readonly name: string;
  /** For people: what it shows. */
  readonly about: string;
  /** A sandbox in a process of its own with these faults, or the one inside the importing process. */
  readonly server: { readonly duplicates: 'refused' | 'stored'; readonly plan: FaultPlanInput } | 'embedded';
  /** Options of `chatferry import` besides the export and the destination. */
  readonly options: readonly string[];
  /** Phase of the kills: while it sends, with some at any moment before, or while it reads the export. */
  readonly killsDuring: 'sending' | 'reading';
  readonly killsServer: boolean;
  readonly shape: ExportShape;
}

const importsOnly = { operations: ['importMessages' as const] };

/**
 * One import in five. A message that no request can carry is refused, and rightly so; by chance that must not happen here, so
 * a message is in two broken imports in a row at most.
 */
const usualFaults: FaultPlanInput = {
  rules: [
    { ...importsOnly, answer: 'reset', applied: 'whole', probability: 0.05 },
    { ...importsOnly, answer: 'closed', applied: 'nothing', probability: 0.03 },
    { ...importsOnly, answer: 'error', applied: 'first-part', probability: 0.03 },
    { ...importsOnly, answer: 'error', applied: 'last-part', probability: 0.02 },
    { ...importsOnly, answer: 'keys-missing', probability: 0.04 },
    { ...importsOnly, answer: 'page', status: 504, applied: 'whole', probability: 0.03 },
    { operations: ['listMessages'], answer: 'error', probability: 0.05 },
  ],
  inARowMax: 2,
};

const anotherProcess = { options: ['--rate', '1200', '--concurrency', '4'], killsServer: false } as const;

/**
 * Messages in small batches, at 20 requests a second: 100 requests that last 5 s at least, so that every kill finds some of them.
 * The grace period of 3 s is ten times what is applied late here.
 */
const usual = {
  ...anotherProcess,
  options: [...anotherProcess.options, '--batch-items', '4', '--grace-period', '3s'],
  killsDuring: 'sending',
  shape: { messages: 400, conversations: 8 },
} as const;

export const scenarios: readonly Scenario[] = [
  {
    ...usual,
    name: 'stores-duplicates',
    about: 'A service that stores a message again when it is sent again: every repetition would show',
    server: { duplicates: 'stored', plan: usualFaults },
  },
  {
    ...usual,
    name: 'refuses-duplicates',
    about: 'A service that refuses a message that it already has, without --duplicates refused',
    server: { duplicates: 'refused', plan: usualFaults },
  },
  {
    ...usual,
    name: 'declared-refused',
    about: 'The same with --duplicates refused: messages with unknown outcomes are sent again immediately',
    server: { duplicates: 'refused', plan: usualFaults },
    options: [...usual.options, '--duplicates', 'refused'],
  },
  {
    ...usual,
    name: 'late',
    about: 'Requests that are applied after their connection is gone, within the grace period',
    server: {
      duplicates: 'stored',
      plan: {
        rules: [
          { ...importsOnly, answer: 'page', status: 504, applied: 'late', lateMs: 300, probability: 0.08 },
          { ...importsOnly, answer: 'reset', applied: 'late', lateMs: 200, probability: 0.08 },
        ],
        inARowMax: 2,
      },
    },
  },
  {
    ...usual,
    name: 'rate-limited',
    about: 'A service that asks for pauses, in every way it can',
    server: {
      duplicates: 'stored',
      plan: {
        rules: [
          { answer: 'rate-limited', retryAfter: 1, probability: 0.02 },
          { answer: 'rate-limited', retryAfter: 0, probability: 0.03 },
          { answer: 'rate-limited', retryAfter: { date: 1 }, probability: 0.02 },
          { answer: 'rate-limited', retryAfter: { sentence: 1 }, probability: 0.02 },
        ],
      },
    },
  },
  {
    ...usual,
    name: 'odd-answers',
    about: 'Answers that are cut, garbled, renamed or no JSON although the messages were stored',
    server: {
      duplicates: 'stored',
      plan: {
        rules: (
          ['cut', 'garbage', 'invalid-json', 'no-data', 'keys-renamed', 'keys-added', 'gzip', 'hung-up'] as const
        ).map((answer) => ({ ...importsOnly, answer, probability: 0.03 })),
      },
    },
  },
  {
    ...usual,
    name: 'listing-without-ids',
    about: 'Lists without message ids, ordered by time, with pages that repeat their edges',
    server: {
      duplicates: 'stored',
      plan: { ...usualFaults, listing: { muids: 'hidden', order: 'time', cursors: 'inclusive' } },
    },
  },
  {
    ...usual,
    name: 'delayed-visibility',
    about: 'Messages that are listed half a second after they were stored',
    server: { duplicates: 'stored', plan: { ...usualFaults, listing: { visibleAfterMs: 500 } } },
  },
  {
    ...usual,
    name: 'server-killed',
    about: 'The service is killed too, and restarts with the data that it had written',
    server: { duplicates: 'stored', plan: usualFaults },
    killsServer: true,
  },
  {
    name: 'embedded-killed',
    about: 'The sandbox inside the importing process dies with it',
    server: 'embedded',
    options: ['--rate', '3000', '--batch-items', '2'],
    killsDuring: 'sending',
    killsServer: false,
    shape: { messages: 400, conversations: 8 },
  },
  {
    name: 'people-killed',
    about: 'People, groups and members are imported before the messages, and the process dies among them',
    server: 'embedded',
    options: ['--rehearse-for', 'hosted', '--retention-days', 'unlimited', '--rate', '3000', '--batch-items', '2'],
    killsDuring: 'sending',
    killsServer: false,
    shape: { messages: 200, conversations: 24, hasDirectory: true },
  },
  {
    name: 'planning-killed',
    about: 'Kills while the export is read',
    server: 'embedded',
    options: [],
    killsDuring: 'reading',
    killsServer: false,
    shape: { messages: 8_000, conversations: 24 },
  },
];
