import { Table } from '../queries.ts';
import { fold } from './summaries.ts';

export interface PersonRow {
  readonly uid: string;
  readonly name: string;
  readonly isBot?: boolean;
  readonly isDeactivated?: boolean;
}

export interface ListedPerson extends PersonRow {
  readonly role: string;
  /** In so many it takes part. */
  readonly conversations: number;
}

interface Row {
  readonly uid: string;
  readonly entity: string;
  readonly isDeactivated: 0 | 1;
  readonly isBot: 0 | 1;
}

const select = `SELECT id AS uid, entity, deactivated_at IS NOT NULL AS isDeactivated,
  EXISTS (SELECT 1 FROM bot WHERE bot.uid = user.id) AS isBot FROM user`;

/** Users that are read at once, and how long one answer may look for a name, in ms. */
const stride = 500;
const budgetMs = 40;

export class Persons extends Table {
  /** Those that are there, by uid. */
  named(uids: Iterable<string>): Record<string, PersonRow> {
    const rows = this.db.rows<Row>(`${select} WHERE id IN (SELECT value FROM json_each(?))`, JSON.stringify([...uids]));
    return Object.fromEntries(rows.map((row) => [row.uid, toPerson(row)]));
  }

  /** By uid in ascending order; `next` is where to go on, null at the end. A page may have fewer than `count` and not be the last. */
  list(
    search: string,
    after: string,
    count: number,
  ): { readonly rows: readonly ListedPerson[]; readonly next: string | null } {
    const wanted = fold(search);
    const deadline = performance.now() + budgetMs;
    const found: ListedPerson[] = [];
    let next = after;
    do {
      const rows = this.db.rows<Row>(`${select} WHERE id > ? ORDER BY id LIMIT ${stride}`, next);
      for (const row of rows) {
        next = row.uid;
        const person = toPerson(row);
        if (!fold(`${person.name} ${row.uid}`).includes(wanted)) continue;
        found.push({
          ...person,
          role: String(parseEntity(row).role ?? ''),
          conversations: this.#countConversations(row.uid),
        });
        if (found.length === count) return { rows: found, next };
      }
      if (rows.length < stride) return { rows: found, next: null };
    } while (performance.now() < deadline);
    return { rows: found, next };
  }

  /** Returns members of a group in the order in which they joined; 200 at most. */
  listMembers(guid: string): {
    readonly members: readonly (PersonRow & { readonly scope: string })[];
    readonly memberCount: number;
  } {
    const memberCount = this.db.value<number>('SELECT count(*) FROM group_member WHERE guid = ?', guid)!;
    const rows = this.db.rows<{ readonly uid: string; readonly scope: string }>(
      `SELECT uid, scope FROM group_member WHERE guid = ? ORDER BY scope = 'participant', joined_at, uid LIMIT 200`,
      guid,
    );
    const known = this.named(rows.map(({ uid }) => uid));
    return { members: rows.map(({ uid, scope }) => ({ uid, name: uid, ...known[uid], scope })), memberCount };
  }

  #countConversations(uid: string): number {
    return this.db.value<number>('SELECT count(*) FROM participant WHERE uid = ?', uid)!;
  }
}

const toPerson = (row: Row): PersonRow => ({
  uid: row.uid,
  name: String(parseEntity(row).name ?? row.uid),
  ...(row.isBot === 1 && { isBot: true }),
  ...(row.isDeactivated === 1 && { isDeactivated: true }),
});

const parseEntity = ({ entity }: Row): Readonly<Record<string, unknown>> => JSON.parse(entity);
