import type { ReceiverDetails, UserDetails } from '../../service/import-item.ts';
import { LastUsed } from '../../lib/maps/last-used.ts';
import { Entities } from './entities.ts';
import { Table } from './queries.ts';
import { defaultRole } from './roles.ts';

/** Sender of requests that act for no user. The hosted service reserves this uid for it. */
export const systemUid = 'app_system';

/** The users. Details that come with a message make a user or change it: fields that are given win, others stay. */
export class People extends Table {
  readonly #users = new Entities(this.db, 'user');
  // About 100 bytes each: 2 MB.
  readonly #deactivated = new LastUsed<string, boolean>(20_000);

  /** Returns the JSON of the user as in messages, deactivated or not; undefined if there never was one. */
  find(uid: string): string | undefined {
    return this.#users.find(uid);
  }

  /** Whether requests may name the user: it exists and is not deactivated. */
  isActive(uid: string): boolean {
    return this.find(uid) !== undefined && !this.isDeactivated(uid);
  }

  isDeactivated(uid: string): boolean {
    const select = 'SELECT deactivated_at IS NOT NULL FROM user WHERE id = ?';
    return this.#deactivated.find(uid, () => this.db.value(select, uid) === 1);
  }

  deactivate(uid: string, nowSeconds: number): void {
    this.#setDeactivated(uid, nowSeconds);
  }

  activate(uid: string): void {
    this.#setDeactivated(uid, null);
  }

  #setDeactivated(uid: string, atSeconds: number | null): void {
    this.db.run('UPDATE user SET deactivated_at = ? WHERE id = ?', atSeconds, uid);
    this.#deactivated.delete(uid);
  }

  save(uid: string, details: UserDetails | ReceiverDetails, nowSeconds: number): void {
    this.#users.save(uid, details, (old) => ({ ...(old ?? newUser(uid, nowSeconds)), ...pick(details) }), nowSeconds);
  }

  /** Adds fields that no import has, such as `role`. */
  extend(uid: string, fields: Readonly<Record<string, unknown>>, nowSeconds: number): void {
    this.#users.save(uid, fields, (old) => ({ ...(old ?? newUser(uid, nowSeconds)), ...fields }), nowSeconds);
  }

  /** Users of a role that is deleted have the default one. */
  dropRole(role: string): void {
    const update = `UPDATE user SET entity = json_set(entity, '$.role', ?) WHERE entity ->> '$.role' = ?`;
    this.db.run(update, defaultRole, role);
    this.#users.forget();
  }

  isBot(uid: string): boolean {
    return this.db.has('SELECT 1 FROM bot WHERE uid = ?', uid);
  }

  addBot(uid: string): void {
    this.db.run('INSERT OR IGNORE INTO bot (uid) VALUES (?)', uid);
  }

  /** Makes sure that the app itself can be a sender. */
  addSystem(nowSeconds: number): void {
    if (this.find(systemUid) === undefined) this.save(systemUid, { uid: systemUid, name: 'System' }, nowSeconds);
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.#users.forget();
    this.#deactivated.clear();
  }
}

const newUser = (uid: string, createdAt: number) => ({ uid, role: defaultRole, status: 'offline', createdAt });

/** Picks the fields to show. For a user who is a receiver the specification also shows `type`, `description`, `icon` and `owner`. */
function pick(details: UserDetails | ReceiverDetails): Record<string, unknown> {
  const { name, avatar, link, role, metadata, tags, createdAt, lastActiveAt, type, description, icon, owner } = details;
  const told = { name, avatar, link, role: role?.toLowerCase(), metadata, tags, type, description, icon, owner };
  return {
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)),
    ...(createdAt !== undefined && { createdAt: Number(createdAt) }),
    ...(lastActiveAt !== undefined && { lastActiveAt: Number(lastActiveAt) }),
  };
}
