import type { Facts } from './facts.ts';

/** Messages that are left out unless a key of the mapping says `keep`. */
export interface LeftOut {
  /** No check has it. */
  readonly code: string;
  /** Takes `skip`, the default, and `keep`. */
  readonly key: string;
  /** The fact that each of these messages has. */
  readonly fact: keyof Facts;
  readonly title: string;
  readonly explanation: string;
  /** What becomes of them if they are kept. */
  readonly kept: string;
  /** Names of losses in a report that count them: those that are left out, and those that are sent. */
  readonly losses: readonly [leftOut: string, sent: string];
}

export const leftOutByDefault: readonly LeftOut[] = [
  {
    code: 'system-lines',
    key: 'messages.system',
    fact: 'system',
    title: 'Lines that the platform wrote',
    explanation: 'Joins, topics and the like: the old system wrote them, and no person.',
    kept: 'Each is shown as a message of the person that it names.',
    losses: ['system lines', 'system line marks'],
  },
  {
    code: 'internal-messages',
    key: 'messages.internal',
    fact: 'internal',
    title: 'Internal messages',
    explanation: 'Private notes, side conversations and steps of bots, which the old system showed to agents alone.',
    kept: 'Everyone in the conversation can read them, customers too.',
    losses: ['internal messages', 'internal message marks'],
  },
  {
    code: 'calls',
    key: 'messages.calls',
    fact: 'calls',
    title: 'Calls',
    explanation: 'Calls and huddles, of which the export has a line each.',
    kept: 'Each is shown as a message with the text of that line.',
    losses: ['calls', 'call details'],
  },
  {
    code: 'deleted-messages',
    key: 'messages.deleted',
    fact: 'deleted',
    title: 'Deleted messages',
    explanation: 'They were deleted in the old system, and the export still names them.',
    kept: 'What the export still has of them becomes readable for everyone in the conversation. Those of which nothing is left cannot be sent.',
    losses: ['deleted messages', 'deletion marks'],
  },
];
