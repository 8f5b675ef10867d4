import type { ImportGroup } from '../../service/import-directory.ts';
import type { ReceiverDetails } from '../../service/import-item.ts';
import { LastUsed } from '../../lib/maps/last-used.ts';
import { Entities } from './entities.ts';
import { Table } from './queries.ts';

export const scopes = ['participant', 'moderator', 'admin'] as const;

export type Scope = (typeof scopes)[number];

export interface Membership {
  readonly scope: Scope;
  readonly joinedAt: number;
}

/** The groups and their members. A user who writes to a group becomes a member. */
export class Groups extends Table {
  readonly #groups = new Entities(this.db, 'chat_group');
  readonly #counts = new LastUsed<string, number>(20_000);
  /** Memberships known to be stored, `guid uid`; ids hold no spaces. */
  readonly #joined = new LastUsed<string, true>(100_000);

  /** JSON of the group as it is answered; nothing if there is none. */
  find(guid: string): string | undefined {
    const json = this.#groups.find(guid);
    return json && `${json.slice(0, -1)},"membersCount":${this.#memberCount(guid)}}`;
  }

  save(guid: string, details: ReceiverDetails | ImportGroup, nowSeconds: number): void {
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
    const insert = 'INSERT OR IGNORE INTO group_member (guid, uid, scope, joined_at) VALUES (?, ?, ?, ?)';
    const { changes } = this.db.run(insert, guid, uid, this.owner(guid) === uid ? 'admin' : scope, joinedAt);
    this.#counts.set(guid, memberCount + changes);
    this.#joined.set(key, true);
  }

  /** Returns the uid of the owner; undefined if no owner was given. */
  owner(guid: string): string | undefined {
    return JSON.parse(this.#groups.find(guid) ?? '{}').owner;
  }

  /** Writes down that the user may not be a member: it is none. */
  ban(guid: string, uid: string): void {
    this.db.run('INSERT OR IGNORE INTO group_ban (guid, uid) VALUES (?, ?)', guid, uid);
  }

  isBanned(guid: string, uid: string): boolean {
    return this.db.has('SELECT 1 FROM group_ban WHERE guid = ? AND uid = ?', guid, uid);
  }

  kick(guid: string, uid: string): void {
    this.db.run('DELETE FROM group_member WHERE guid = ? AND uid = ?', guid, uid);
    this.#counts.delete(guid);
    this.#joined.delete(`${guid} ${uid}`);
  }

  /** With its members and bans. */
  delete(guid: string): void {
    this.db.run('DELETE FROM group_member WHERE guid = ?', guid);
    this.db.run('DELETE FROM group_ban WHERE guid = ?', guid);
    this.db.run('DELETE FROM chat_group WHERE id = ?', guid);
    this.forget();
  }

  membership(guid: string, uid: string): Membership | undefined {
    const select = 'SELECT scope, joined_at AS joinedAt FROM group_member WHERE guid = ? AND uid = ?';
    return this.db.row(select, guid, uid);
  }

  /** Clears the cache: its entries may not be stored, because a transaction was rolled back, or a group deleted. */
  forget(): void {
    this.#groups.forget();
    this.#counts.clear();
    this.#joined.clear();
  }

  #memberCount(guid: string): number {
    const count = () => this.db.value<number>('SELECT count(*) FROM group_member WHERE guid = ?', guid) ?? 0;
    return this.#counts.find(guid, count);
  }
}

const newGroup = (guid: string, createdAt: number) => ({
  guid,
  type: 'public',
  conversationId: `group_${guid}`,
  createdAt,
});

function pick(details: ReceiverDetails | ImportGroup): Record<string, unknown> {
  const { name, type, description, icon, owner, metadata, tags, createdAt } = details;
  return {
    name,
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(owner !== undefined && { owner: owner.toLowerCase() }),
    ...(metadata && { metadata }),
    ...(tags && { tags }),
    ...(createdAt !== undefined && { createdAt: Number(createdAt) }),
  };
}
