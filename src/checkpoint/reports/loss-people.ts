import type { Database } from 'better-sqlite3';

/** How many people have what the service cannot hold. */
export interface LossPeople {
  readonly total: number;
  /** Owners and admins. */
  readonly officers: number;
  readonly guests: number;
  readonly deleted: number;
  readonly placeholders: number;
  readonly emails: number;
  /** With a login name that differs from the name that is shown. */
  readonly handles: number;
}

export function countLossPeople(db: Database): LossPeople {
  const sum = (condition: string) => `coalesce(sum(coalesce(${condition}, 0)), 0)`;
  return db
    .prepare<[], LossPeople>(
      `SELECT count(*) AS total, ${sum(`record ->> '$.role' IN ('owner', 'admin')`)} AS officers,
         ${sum(`record ->> '$.role' IN ('guest', 'single-conversation-guest')`)} AS guests,
         ${sum(`record ->> '$.isDeleted'`)} AS deleted, ${sum('is_placeholder')} AS placeholders,
         ${sum(`record ->> '$.email' <> ''`)} AS emails,
         ${sum(`record ->> '$.handle' <> record ->> '$.name'`)} AS handles FROM person`,
    )
    .get()!;
}
