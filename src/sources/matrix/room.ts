import type { ConversationRecord, Membership } from '../../model/records.ts';
import { asObject, asString, asStrings } from '../kit/narrow.ts';
import type { Content } from './format.ts';

interface Latest {
  readonly atMs: number;
  readonly content: Content;
}

/** A person's latest state in a room. */
interface Member {
  readonly atMs: number;
  readonly membership: string;
  readonly joinedAtMs?: number | undefined;
}

/** State that says something of a room. Membership is the rest. */
export const telling: ReadonlySet<string> = new Set([
  ...[
    'create',
    'name',
    'topic',
    'avatar',
    'canonical_alias',
    'join_rules',
    'encryption',
    'pinned_events',
    'tombstone',
    'power_levels',
  ].map((name) => `m.room.${name}`),
]);

/** A room according to state: the latest of each kind, in whatever order it comes. */
export class Room {
  readonly id: string;
  readonly latest: Map<string, Latest>;
  readonly members: Map<string, Member>;
  isDirect: boolean;
  creator: string | undefined;
  createdAtMs: number | undefined;
  #pinned: ReadonlySet<string> | undefined;

  constructor(id: string, around?: Room) {
    this.id = id;
    this.latest = new Map(around?.latest);
    this.members = new Map(around?.members);
    this.isDirect = around?.isDirect ?? false;
    this.creator = around?.creator;
    this.createdAtMs = around?.createdAtMs;
  }

  said(type: string): Content {
    return this.latest.get(`m.room.${type}`)?.content ?? {};
  }

  get version(): string | undefined {
    const create = this.latest.get('m.room.create')?.content;
    return create && (asString(create.room_version) ?? '1');
  }

  get pinned(): ReadonlySet<string> {
    this.#pinned ??= new Set(asStrings(this.said('pinned_events').pinned));
    return this.#pinned;
  }

  /** Returns undefined if the state only shows who joined and left. */
  record(): ConversationRecord | undefined {
    if (this.latest.size === 0 && !this.isDirect) return undefined;
    const people = [...this.members].filter(
      ([, { membership }]) => membership === 'join' || (this.isDirect && membership !== 'ban'),
    );
    const members = people.map(([id]) => id);
    const memberships = this.isDirect ? [] : [...this.members].flatMap(([id, member]) => this.#membership(id, member));
    const isDirect = this.isDirect && members.length > 1;
    const name = asString(this.said('name').name);
    const topic = asString(this.said('topic').topic);
    const alias = asString(this.said('canonical_alias').alias);
    const successor = asString(this.said('tombstone').replacement_room);
    const metadata = {
      ...(alias !== undefined && { alias }),
      ...(this.said('create').type === 'm.space' && { space: true }),
      ...(this.latest.has('m.room.encryption') && { encrypted: true }),
      ...(successor !== undefined && { successor }),
      ...(asString(this.said('avatar').url) !== undefined && { picture: this.said('avatar').url as string }),
      ...(this.isDirect && name !== undefined && { name }),
    };
    return {
      kind: 'conversation',
      id: this.id,
      type: isDirect
        ? members.length === 2
          ? 'direct'
          : 'group-direct'
        : this.said('join_rules').join_rule === 'public'
          ? 'public'
          : 'private',
      name: isDirect ? '' : (name ?? alias ?? ''),
      ...(topic !== undefined && { topic }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(this.creator !== undefined && { creator: this.creator }),
      ...(this.createdAtMs !== undefined && { createdAtMs: this.createdAtMs }),
      ...(successor !== undefined && { isArchived: true }),
      members,
      ...(memberships.length > 0 && { memberships }),
    };
  }

  /** Rights are of the usual powers: 50 for moderators, 100 for admins. */
  #membership(user: string, { atMs, membership, joinedAtMs }: Member): Membership[] {
    if (membership === 'ban') return [{ user, ...(joinedAtMs !== undefined && { joinedAtMs }), isBanned: true }];
    if (membership === 'leave') return joinedAtMs === undefined ? [] : [{ user, joinedAtMs, leftAtMs: atMs }];
    if (membership !== 'join' || joinedAtMs === undefined) return [];
    const { users, users_default } = this.said('power_levels');
    const power = Number(asObject<Record<string, number>>(users)?.[user] ?? users_default ?? 0);
    const scope = power >= 100 ? 'admin' : power >= 50 ? 'moderator' : undefined;
    return [{ user, ...(scope && { scope }), joinedAtMs }];
  }
}
