import type { Database, Statement } from 'better-sqlite3';

export interface ContactDetails {
  readonly email: string | null;
  readonly phno: string | null;
}

/** Where users are notified, and by which SMS provider. */
export class Contacts {
  readonly #select: Statement<[string], ContactDetails>;
  readonly #upsert: Statement<[string, string | null, string | null]>;
  readonly #delete: Statement<[string]>;
  readonly #setProvider: Statement<[string]>;
  readonly #deleteProvider: Statement<[]>;

  constructor(db: Database) {
    this.#select = db.prepare('SELECT email, phno FROM contact_details WHERE uid = ?');
    this.#upsert = db.prepare('INSERT OR REPLACE INTO contact_details (uid, email, phno) VALUES (?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM contact_details WHERE uid = ?');
    this.#setProvider = db.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('sms_provider', ?)`);
    this.#deleteProvider = db.prepare(`DELETE FROM meta WHERE key = 'sms_provider'`);
  }

  find(uid: string): ContactDetails | undefined {
    return this.#select.get(uid);
  }

  save(uid: string, { email, phno }: ContactDetails): void {
    this.#upsert.run(uid, email, phno);
  }

  delete(uid: string): void {
    this.#delete.run(uid);
  }

  setSmsProvider(name: string): void {
    this.#setProvider.run(name);
  }

  deleteSmsProvider(): void {
    this.#deleteProvider.run();
  }
}
