import type { Database } from 'better-sqlite3';

/** What the latest plan says of a message, and the muids under which it is sent: more than its own where its text was split. */
export interface MessageVerdict {
  readonly verdict: 'planned' | 'skipped' | 'rejected';
  readonly reason: string | null;
  readonly muids: readonly string[];
}

export function messageVerdict(db: Database, muid: string): MessageVerdict | undefined {
  const found = db
    .prepare<[string], Omit<MessageVerdict, 'muids'> & { readonly part: number | null }>(
      `SELECT verdict, reason, part FROM message WHERE muid = ? AND verdict <> 'repeated'`,
    )
    .get(muid);
  if (!found) return undefined;
  const { verdict, reason, part } = found;
  const others = db
    .prepare(
      `SELECT muid FROM message WHERE substr(muid, 1, 27) = ? AND part > 1 AND verdict = 'planned' ORDER BY part`,
    )
    .pluck();
  return { verdict, reason, muids: part === 1 ? [muid, ...(others.all(muid) as string[])] : [muid] };
}
