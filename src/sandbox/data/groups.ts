import type { Database, Statement } from 'better-sqlite3';
import type { ReceiverDetails } from '../../service/contract/import.ts';
import { BoundedCache } from './bounded-cache.ts';
import { Entities } from './entities.ts';

export const scopes = ['participant', 'moderator', 'admin'] as const;

export type Scope = (typeof scopes)[number];

export interface Membership {
  readonly scope: Scope;
  readonly joinedAt: number;
}

/** The groups and their members. Whoever writes to a group becomes a member: an import says nothing else about members. */
export class Groups {
  readonly #groups: Entities;
  readonly #counts = new BoundedCache<number>(20_000);
  /** Memberships known to be stored, `guid uid`; ids hold no spaces. */
  readonly #joined = new BoundedCache<true>(100_000);
  readonly #count: Statement<[string], number>;
  readonly #join: Statement<[string, string, string, number]>;
  readonly #membership: Statement<[string, string], Membership>;
  readonly #kick: Statement<[string, string]>;
  readonly #deleteMembers: Statement<[string]>;
  readonly #deleteGroup: Statement<[string]>;

  constructor(db: Database) {
    this.#groups = new Entities(db, 'chat_group');
    this.#count = db.prepare<[string], number>('SELECT count(*) FROM group_member WHERE guid = ?').pluck();
    this.#join = db.prepare('INSERT OR IGNORE INTO group_member (guid, uid, scope, joined_at) VALUES (?, ?, ?, ?)');
    this.#membership = db.prepare('SELECT scope, joined_at AS joinedAt FROM group_member WHERE guid = ? AND uid = ?');
    this.#kick = db.prepare('DELETE FROM group_member WHERE guid = ? AND uid = ?');
    this.#deleteMembers = db.prepare('DELETE FROM group_member WHERE guid = ?');
    this.#deleteGroup = db.prepare('DELETE FROM chat_group WHERE id = ?');
  }

  /** JSON of the group as it is answered; nothing if there is none. */
  find(guid: string): string | undefined {
    const json = this.#groups.find(guid);
    return json && `${json.slice(0, -1)},"membersCount":${this.#memberCount(guid)}}`;
  }

  save(guid: string, details: ReceiverDetails, nowSeconds: number): void {
    this.#groups.save(
      guid,
      details,
      (old) => ({ ...(old ?? newGroup(guid, nowSeconds)), ...pick(details) }),
      nowSeconds,
    );
  }

  /** Makes the user a member if it is none yet; the owner as admin. */
  join(guid: string, uid: string, joinedAt: number, scope: Scope = 'participant'): void {
    const key = `${guid} ${uid}`;
    if (this.#joined.get(key)) return;
    const memberCount = this.#memberCount(guid);
    const { changes } = this.#join.run(guid, uid, this.owner(guid) === uid ? 'admin' : scope, joinedAt);
    this.#counts.set(guid, memberCount + changes);
    this.#joined.set(key, true);
  }

  /** uid; nothing where nobody said whose the group is. */
  owner(guid: string): string | undefined {
    return JSON.parse(this.#groups.find(guid) ?? '{}').owner;
  }

  kick(guid: string, uid: string): void {
    this.#kick.run(guid, uid);
    this.#counts.delete(guid);
    this.#joined.delete(`${guid} ${uid}`);
  }

  /** With its members. */
  delete(guid: string): void {
    this.#deleteMembers.run(guid);
    this.#deleteGroup.run(guid);
    this.forget();
  }

  membership(guid: string, uid: string): Membership | undefined {
    return this.#membership.get(guid, uid);
  }

  /** What is cached may not be stored: a transaction was rolled back, or a group deleted. */
  forget(): void {
    this.#groups.forget();
    this.#counts.clear();
    this.#joined.clear();
  }

  #memberCount(guid: string): number {
    const cached = this.#counts.get(guid);
    if (cached !== undefined) return cached;
    const count = this.#count.get(guid) ?? 0;
    this.#counts.set(guid, count);
    return count;
  }
}

const newGroup = (guid: string, createdAt: number) => ({
  guid,
  type: 'public',
  conversationId: `group_${guid}`,
  createdAt,
});

function pick({ name, type, description, icon, owner, metadata, createdAt }: ReceiverDetails): Record<string, unknown> {
  return {
    name,
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(owner !== undefined && { owner: owner.toLowerCase() }),
    ...(metadata && { metadata }),
    ...(createdAt !== undefined && { createdAt: Number(createdAt) }),
  };
}
