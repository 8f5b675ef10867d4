import type { ConversationRecord, Membership } from './records.ts';

export type MemberLists = Pick<ConversationRecord, 'members' | 'memberships'>;

type Details = Omit<Membership, 'user'>;

const none: Details = {};

/** Who belongs to each conversation, each person once. In memory: a reference for each, some 100 bytes more for those with details. */
export class Members {
  readonly #conversations = new Map<string, Map<string, Details>>();

  add(conversation: string, user: string, details: Details = none): void {
    const people = this.#conversations.get(conversation) ?? new Map<string, Details>();
    this.#conversations.set(conversation, people);
    const known = people.get(user);
    people.set(user, known === undefined ? details : merge(known, details));
  }

  conversations = (): Iterable<string> => this.#conversations.keys();

  has = (conversation: string): boolean => this.#conversations.has(conversation);

  /** Adds the two lists of a record. @param idOf Another id of the same person. */
  addLists(
    { id, members, memberships = [] }: MemberLists & Pick<ConversationRecord, 'id'>,
    idOf = (user: string): string => user,
  ): void {
    for (const user of members) this.add(id, idOf(user));
    for (const { user, ...details } of memberships) this.add(id, idOf(user), details);
  }

  /** The two lists of a conversation: its members, and what is known of single people. */
  of(conversation: string): MemberLists {
    const members: string[] = [];
    const memberships: Membership[] = [];
    for (const [user, { scope, joinedAtMs, leftAtMs, isBanned }] of this.#conversations.get(conversation) ?? []) {
      if (leftAtMs === undefined && !isBanned) members.push(user);
      const details: Details = {
        ...(scope !== undefined && { scope }),
        ...(joinedAtMs !== undefined && { joinedAtMs }),
        ...(leftAtMs !== undefined && { leftAtMs }),
        ...(isBanned && { isBanned }),
      };
      if (Object.keys(details).length > 0) memberships.push({ user, ...details });
    }
    return { members, ...(memberships.length > 0 && { memberships }) };
  }
}

/** Who left and came back is a member; of two rows of a member each may have a part. */
function merge(one: Details, other: Details): Details {
  const [left, leftAgain] = [one.leftAtMs, other.leftAtMs];
  if (left !== undefined || leftAgain !== undefined)
    return (left ?? Number.POSITIVE_INFINITY) > (leftAgain ?? Number.POSITIVE_INFINITY) ? one : other;
  const scope = one.scope === 'admin' ? 'admin' : (other.scope ?? one.scope);
  return { ...one, ...other, ...(scope !== undefined && { scope }) };
}
