import type { z } from 'zod';
import type { Clock } from '../../lib/flow/clock.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import type { OperationName, Operations } from '../../service/operations.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import type { Complaint } from '../answers.ts';
import { ApiKeys, AuthTokens } from '../data/credentials.ts';
import { Groups } from '../data/groups.ts';
import { hasLink, hasMention } from '../data/message-filters.ts';
import { Messages } from '../data/messages.ts';
import { People } from '../data/people.ts';
import { Queries, Table } from '../data/queries.ts';
import { Reactions } from '../data/reactions.ts';
import { Relations } from '../data/relations.ts';
import { Roles } from '../data/roles.ts';
import type { Rules } from '../rules/rules.ts';
import { Statistics } from '../data/statistics.ts';
import type { SandboxStore } from '../store.ts';

/** State that a handler works with. */
export interface Service {
  /** The store's; statistics name it. */
  readonly id: string;
  readonly rules: Rules;
  readonly apiKeys: ApiKeys;
  readonly authTokens: AuthTokens;
  readonly people: People;
  readonly relations: Relations;
  readonly roles: Roles;
  readonly groups: Groups;
  readonly messages: Messages;
  readonly reactions: Reactions;
  readonly statistics: Statistics;
  readonly contacts: Contacts;
  nowSeconds(): number;
  /** Notes that a seed is added. @returns whether it was not yet. */
  markSeeded(seed: string): boolean;
  /** All of it or nothing is stored; inside another one it is a part of that. @throws StoreError if the disk does not take it. */
  transaction<T>(change: () => T): T;
}

type Part<Name extends OperationName, Field extends string> =
  Operations[Name] extends Readonly<Record<Field, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

/** A request whose key was accepted and whose parts are what the contract declares. */
export interface Call<Name extends OperationName> {
  /** Digest of the key that came with it. */
  readonly keyDigest: string;
  /** From the path, decoded; ids of people, groups, roles and conversations in lower case. */
  readonly params: Part<Name, 'params'>;
  readonly query: Part<Name, 'query'>;
  /** As it came: a check takes nothing away and adds nothing. Imports check theirs themselves. */
  readonly body: Name extends `import${string}` ? undefined : Part<Name, 'body'>;
  /** The body before it was read. */
  readonly text: string;
  /** The uid that the request acts for, in lower case; an active user. */
  readonly onBehalfOf: Part<Name, 'headers'> extends { readonly onBehalfOf: string } ? string : string | undefined;
}

export type Handler<Name extends OperationName> = (service: Service, call: Call<Name>) => TransportAnswer;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };

export function createService({ id, db, path }: SandboxStore, rules: Rules, clock: Clock): Service {
  db.function('has_link', { deterministic: true }, (text) => (hasLink(String(text)) ? 1 : 0));
  db.function('has_mention', { deterministic: true }, (text) => (hasMention(String(text)) ? 1 : 0));
  const queries = new Queries(db);
  const people = new People(queries);
  const groups = new Groups(queries);
  const messages = new Messages(queries);
  const insertMeta = `INSERT OR IGNORE INTO meta (key, value) VALUES (?, 'sown')`;
  const run = db.transaction((change: () => unknown) => change());
  return {
    id,
    rules,
    apiKeys: new ApiKeys(queries),
    authTokens: new AuthTokens(queries),
    people,
    relations: new Relations(queries),
    roles: new Roles(queries),
    groups,
    messages,
    reactions: new Reactions(queries),
    statistics: new Statistics(queries),
    contacts: new Contacts(queries),
    markSeeded: (seed) => queries.run(insertMeta, `seed_${seed}`).changes > 0,
    nowSeconds: () => Math.floor(clock.now() / 1000),
    transaction<T>(change: () => T): T {
      // A savepoint would copy each page that it changes.
      if (db.inTransaction) return change();
      try {
        return run.immediate(change) as T;
      } catch (error) {
        for (const part of [people, groups, messages]) part.forget();
        throw toStoreError(error, path) ?? error;
      }
    },
  };
}

/**
 * Returns an error if the muid is taken, whether the message is sent or imported: a muid is unique, unless the sandbox
 * is set to store copies.
 */
export function takenMuid({ messages, rules }: Service, muid: string): Complaint | undefined {
  if (rules.duplicates === 'stored' || !messages.hasMuid(muid)) return undefined;
  return { code: 'ERR_IMPORT_MUID_ALREADY_EXISTS', message: `A message with muid "${muid}" already exists` };
}

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
