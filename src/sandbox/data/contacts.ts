import { Table } from './queries.ts';

export interface ContactDetails {
  readonly email: string | null;
  readonly phno: string | null;
}

/** Addresses at which users are notified, and the SMS provider. */
export class Contacts extends Table {
  find(uid: string): ContactDetails | undefined {
    return this.db.row('SELECT email, phno FROM contact_details WHERE uid = ?', uid);
  }

  save(uid: string, { email, phno }: ContactDetails): void {
    this.db.run('INSERT OR REPLACE INTO contact_details (uid, email, phno) VALUES (?, ?, ?)', uid, email, phno);
  }

  delete(uid: string): void {
    this.db.run('DELETE FROM contact_details WHERE uid = ?', uid);
  }

  setSmsProvider(name: string): void {
    this.db.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('sms_provider', ?)`, name);
  }

  deleteSmsProvider(): void {
    this.db.run(`DELETE FROM meta WHERE key = 'sms_provider'`);
  }
}
