import type { Database } from 'better-sqlite3';
import type { ReceiverDetails, UserDetails } from '../service/contract/messages.ts';
import { Entities } from './entities.ts';

/** The users. Details that come with a message make a user or change it: fields that are given win, others stay. */
export class People {
  readonly #users: Entities;

  constructor(db: Database) {
    this.#users = new Entities(db, 'user');
  }

  /** JSON of the user as it stands in messages; nothing if there is none. */
  find(uid: string): string | undefined {
    return this.#users.find(uid);
  }

  save(uid: string, details: UserDetails | ReceiverDetails, nowSeconds: number): void {
    this.#users.save(uid, details, (old) => ({ ...(old ?? newUser(uid, nowSeconds)), ...pick(details) }), nowSeconds);
  }

  forget(): void {
    this.#users.forget();
  }
}

const newUser = (uid: string, createdAt: number) => ({ uid, role: 'default', status: 'offline', createdAt });

function pick(details: UserDetails | ReceiverDetails): Record<string, unknown> {
  const { name, avatar, link, metadata, createdAt } = details;
  return {
    name,
    ...(avatar !== undefined && { avatar }),
    ...(link !== undefined && { link }),
    ...(metadata && { metadata }),
    ...(createdAt !== undefined && { createdAt: Number(createdAt) }),
  };
}
