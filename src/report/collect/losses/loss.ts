import type { LossPeople } from '../../../checkpoint/reports/loss-people.ts';
import type { Facts } from '../../../mapping/message/facts.ts';
import type { ActionKind } from '../../../model/action.ts';
import type { RelationRecord } from '../../../model/relation.ts';
import type { Rules } from '../../../mapping/rules/rules.ts';
import type { ConversationCounts } from './count-conversations.ts';

/** What the losses are made of: counts of a store, each of the whole plan. */
export interface LossCounts {
  /** What planned messages carry, summed up. */
  readonly planned: Readonly<Facts>;
  /** Messages that are left out, by rule. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Replies that are planned and whose root the export does not have. */
  readonly orphans: number;
  /** Planned messages whose time is finer than a second. */
  readonly subSecond: number;
  /** Memberships of people who never wrote in the group. */
  readonly silentMembers: number;
  /** People of whom nothing is sent: neither a message nor half of a direct conversation. */
  readonly silentPeople: number;
  /** What is to be done after the messages, by kind. */
  readonly actions: Readonly<Partial<Record<ActionKind, number>>>;
  /** Reactions among them of people who never wrote in the group. */
  readonly silentReactions: number;
  /** Friendships and blocks that the export has. */
  readonly relations: Readonly<Record<RelationRecord['type'], number>>;
  readonly people: LossPeople;
  readonly conversations: ConversationCounts;
  /** Findings of checks, by code. */
  readonly found: ReadonlyMap<string, number>;
}

/** Something that an export may have and the service cannot hold as such. */
export interface LossKind {
  /** Unique: a key of `--json`, and a row of docs/losses.md. */
  readonly name: string;
  /** What is counted. */
  readonly what: string;
  count(counts: LossCounts): number;
  /** What becomes of it under these rules. */
  becomes(rules: Rules, counts: LossCounts): string;
}
