import type { Database } from 'better-sqlite3';
import { peopleWithOpenMessages } from './base/action-sql.ts';
import type { GroupCommit } from './base/group-commit.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';

export interface DeactivatedPerson {
  readonly id: number;
  readonly uid: string;
}

interface At {
  readonly destination: number;
  readonly person: number;
}

/** The deactivation of a person after the messages. */
const action = `action IN (SELECT id FROM action WHERE message = 0 AND person = @person AND kind = 'deactivations')`;

const there = `SELECT person FROM person_before WHERE destination = @destination AND deactivated > 0
  UNION SELECT a.person FROM action a CROSS JOIN action_delivery v ON v.destination = @destination AND v.action = a.id
  WHERE a.message = 0 AND a.kind = 'deactivations' AND v.state IN ('done', 'sent')`;

const statements = lateStatements({
  any: sql<{ destination: number }>`SELECT 1 FROM (${there}) LIMIT 1`,
  collect: sql<{ destination: number }>`
    INSERT INTO temp.awaited SELECT person FROM (${there}) WHERE person IN (${peopleWithOpenMessages}
      UNION SELECT a.person FROM arrival a LEFT JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
      WHERE a.is_wanted = 1 AND coalesce(v.state, 'pending') IN ('pending', 'sent'))`,
  count: value<[], number>`SELECT count(*) FROM temp.awaited`,
  awaited: sql<[after: number], DeactivatedPerson>`
    SELECT p.id, p.uid FROM temp.awaited w JOIN person p ON p.id = w.person WHERE p.id > ? ORDER BY p.id LIMIT 500`,
  intend: sql<At>`
    UPDATE person_before SET deactivated = 2 WHERE destination = @destination AND person = @person AND deactivated = 1`,
  // Whether they are deactivated is unknown until the action is requested again.
  doubtAction: sql<At>`UPDATE action_delivery SET state = 'sent' WHERE destination = @destination AND state = 'done' AND ${action}`,
  knowArrived: sql<At & { run: number; nowMs: number }>`
    INSERT INTO arrival_delivery (destination, arrival, state, is_ours, attempts, sent_at, run)
    SELECT @destination, a.id, 'imported', 1, 1, @nowMs, @run FROM arrival a
    WHERE a.kind = 'people' AND a.conversation = 0 AND a.person = @person AND a.is_wanted = 1 ON CONFLICT DO NOTHING`,
  knowPerson: sql<At>`
    INSERT OR IGNORE INTO person_delivery SELECT @destination, person FROM arrival
    WHERE kind = 'people' AND conversation = 0 AND person = @person AND is_wanted = 1`,
  activate: sql<At>`UPDATE person_before SET deactivated = 0 WHERE destination = @destination AND person = @person`,
  forgetAction: sql<At>`DELETE FROM action_delivery WHERE destination = @destination AND ${action}`,
});

/**
 * People whom Chatferry has deactivated at a destination, by an undo or after their messages:
 *
 *     deactivated ──intent──▶ unconfirmed ──the service names them as active──▶ active, and a deactivation is pending again
 *                                └──it does not know them──▶ as if they had never been there
 */
export class Deactivated extends withStatements(statements) {
  readonly #commits: GroupCommit;

  constructor({ db, commits }: { readonly db: Database; readonly commits: GroupCommit }) {
    super(db);
    this.#commits = commits;
  }

  /** Finds those who have to be active for what is to be sent: before `awaited`. @returns How many. */
  collect(destination: number): number {
    if (this.sql.any.get({ destination }) === undefined) return 0;
    this.db.exec('DROP TABLE IF EXISTS temp.awaited; CREATE TEMP TABLE awaited (person INTEGER PRIMARY KEY)');
    this.sql.collect.run({ destination });
    return this.sql.count.get()!;
  }

  awaited(): Iterable<DeactivatedPerson> {
    return inPages('id', (after) => this.sql.awaited.all(after));
  }

  /** Resolves when it is on disk that they may be active: the request may leave. */
  intend(destination: number, people: readonly DeactivatedPerson[]): Promise<void> {
    return this.#commits.commit(() => {
      for (const { id: person } of people) {
        this.sql.intend.run({ destination, person });
        this.sql.doubtAction.run({ destination, person });
      }
    }, 'intent');
  }

  /** Resolves when it is on disk that they are active, or not known there. */
  receive(
    destination: number,
    people: readonly DeactivatedPerson[],
    arrived?: { readonly run: number; readonly nowMs: number },
  ): Promise<void> {
    return this.#commits.commit(() => {
      for (const { id: person } of people) {
        const at = { destination, person };
        if (arrived) {
          this.sql.knowArrived.run({ ...at, ...arrived });
          this.sql.knowPerson.run(at);
        }
        this.sql.activate.run(at);
        this.sql.forgetAction.run(at);
      }
    });
  }

  /** An undo has activated a person: their deactivation is pending again. */
  forgetAction(destination: number, person: number): void {
    this.sql.forgetAction.run({ destination, person });
  }
}
