import type { AttachedMedia } from '../../../store/media.ts';
import type { LossConversation, LossPeople } from '../../../store/totals.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Rules } from '../../../mapping/rules.ts';
import type { ActionKind } from '../../../model/action.ts';
import type { RelationRecord } from '../../../model/relation.ts';

/** Counts of a store from which losses are derived, each of the whole plan. */
export interface LossCounts {
  /** Content of planned messages, summed up. */
  readonly planned: Readonly<Facts>;
  /** Messages that are left out, by rule. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Replies that are planned and whose root the export does not have. */
  readonly orphans: number;
  /** Planned messages whose time is finer than a second. */
  readonly subSecond: number;
  /** Memberships of people who never wrote in the group. */
  readonly silentMembers: number;
  /** Whether the destination imports people and members: the two counts are those who do not arrive, then. */
  readonly importsPeople: boolean;
  /** People of whom nothing is sent: neither a message nor half of a direct conversation. */
  readonly silentPeople: number;
  /** Actions to do after the messages, by kind. */
  readonly actions: Readonly<Partial<Record<ActionKind, number>>>;
  /** Reactions among them of people who never wrote in the group. */
  readonly silentReactions: number;
  /** Friendships and blocks that the export has. */
  readonly relations: Readonly<Record<RelationRecord['type'], number>>;
  readonly people: LossPeople;
  readonly conversations: ConversationCounts;
  /** Findings of checks, by code. */
  readonly found: ReadonlyMap<string, number>;
  /** Files that are copied to their final location; undefined if none are to be copied. */
  readonly media: AttachedMedia | undefined;
}

/** Something that an export may have and the service cannot hold as such. */
export interface LossKind {
  /** Unique: a key of `--json`, and a row of docs/understand/losses.md. */
  readonly name: string;
  /** The thing that is counted. */
  readonly what: string;
  count(counts: LossCounts): number;
  /** Returns what becomes of it under these rules. */
  becomes(rules: Rules, counts: LossCounts): string;
}

/** How many conversations, of those of which something is sent, have what the service cannot hold. */
export interface ConversationCounts {
  readonly archived: number;
  readonly directAsGroup: number;
  readonly groupDirect: number;
  readonly creatorsLost: number;
  readonly topicsLost: number;
  readonly directDetails: number;
}

export function countConversations(rows: Iterable<LossConversation>): ConversationCounts {
  const counts = { archived: 0, directAsGroup: 0, groupDirect: 0, creatorsLost: 0, topicsLost: 0, directDetails: 0 };
  for (const { type, receiverType, isArchived, hasCreator, hasOwner, hasName, hasTopic, hasDescription } of rows) {
    const isGroup = receiverType === 'group';
    if (isArchived) counts.archived++;
    if (type === 'direct' && isGroup) counts.directAsGroup++;
    if (type === 'group-direct') counts.groupDirect++;
    if (isGroup && hasCreator && !hasOwner) counts.creatorsLost++;
    if (isGroup && hasTopic && hasDescription) counts.topicsLost++;
    if (!isGroup && (hasName || hasTopic || hasDescription)) counts.directDetails++;
  }
  return counts;
}
