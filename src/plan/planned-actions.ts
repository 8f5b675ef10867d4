import type { Database } from 'better-sqlite3';
import { readMeta } from '../checkpoint/base/meta.ts';
import type { Rules } from '../mapping/rules/rules.ts';
import { type ActionKind, actionKinds } from '../model/action.ts';

/**
 * Kinds of actions that a plan stages, in the order in which they are done.
 *
 * @param asked What `--actions` says; absent: what the latest plan of the store was asked for.
 */
export function plannedActions(
  db: Database,
  { messages }: Rules,
  asked: readonly ActionKind[] | undefined,
): readonly ActionKind[] {
  const chosen: readonly string[] = asked ?? (readMeta(db, 'actions') ?? '').split(',');
  return actionKinds.filter(
    (kind) => chosen.includes(kind) || (kind === 'reactions' && messages.reactions === 'replay'),
  );
}
