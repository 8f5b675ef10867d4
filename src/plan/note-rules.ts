import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import { forgetExport, reopenFiles } from '../checkpoint/staging/source-files.ts';
import { freezeAllPayloads } from '../checkpoint/staging/stage-rows.ts';
import { UsageError } from '../lib/errors.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import { changedRules } from '../mapping/rules/changed-rules.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import type { Rules } from '../mapping/rules/rules.ts';
import { type ActionKind, actionKinds } from '../model/action.ts';
import type { MessageLimits } from '../service/profiles.ts';
import { noteMerges } from './merges.ts';

export interface PlanRules {
  readonly mapping: Mapping;
  readonly limits: MessageLimits;
  /** Parsed by the source's schema. */
  readonly sourceOptions: unknown;
  /** What `--only` says. */
  readonly only?: Filter | undefined;
  /** Kinds of actions that are to follow the messages. */
  readonly actions: readonly ActionKind[];
}

/** Changed keys that a refusal names. */
const namedMax = 5;

/**
 * Remembers what decides the verdicts of staged rows, and prepares the books where it changed. Inside the caller's
 * transaction.
 *
 * @param isAccepted A changed mapping may be applied although messages were already sent under the old one.
 * @returns Whether it differs from what the staged rows were made with.
 * @throws UsageError
 */
export function noteRules(
  db: Database,
  { mapping, limits, sourceOptions, only, actions }: PlanRules,
  isAccepted: boolean,
): boolean {
  const now = {
    mappingHash: mapping.hash,
    limitsHash: JSON.stringify(limits),
    sourceOptions: JSON.stringify(sourceOptions),
    // A filter may change at any time: a pilot is widened, and what was sent stays sent.
    only: only?.text ?? '',
    actions: actions.join(),
  };
  const changed = (Object.keys(now) as (keyof typeof now)[]).filter((key) => {
    // A store of before there were filters was read whole; one of before there were actions asked for none.
    const isNewer = key === 'only' || key === 'actions';
    const before = readMeta(db, key) ?? (isNewer && readMeta(db, 'mappingHash') !== undefined ? '' : undefined);
    return before !== undefined && before !== now[key];
  });
  const isSent = db.prepare(`SELECT 1 FROM delivery WHERE state <> 'pending' LIMIT 1`).get() !== undefined;
  if (changed.includes('mappingHash') && isSent && !isAccepted) throw mappingChanged(db, mapping);
  if (changed.length > 0 && isSent) {
    freezeAllPayloads(db);
    reopenFiles(db);
  } else if (changed.length > 0 && hasUndone(db)) reopenFiles(db);
  else if (changed.length > 0) forgetExport(db);
  for (const [key, value] of Object.entries(now)) writeMeta(db, key as keyof typeof now, value);
  writeMeta(db, 'rules', JSON.stringify(mapping.rules));
  noteMerges(db, mapping.rules.conversations.merge);
  return changed.length > 0;
}

/** What was taken back is to be sent again under muids that only the books know. */
const hasUndone = (db: Database): boolean =>
  db.prepare('SELECT 1 FROM delivery WHERE generation > 1 LIMIT 1').get() !== undefined;

function mappingChanged(db: Database, { rules }: Mapping): UsageError {
  const before = readMeta(db, 'rules');
  const changes = before === undefined ? [] : changedRules(JSON.parse(before), rules);
  const named = changes.slice(0, namedMax).map(({ key, from, to }) => `${key} was ${from}, is ${to}`);
  if (changes.length > namedMax) named.push(`${changes.length - namedMax} more`);
  const words = named.length > 0 ? `: ${named.join('; ')}` : '';
  return new UsageError(`Cannot plan with a changed mapping: messages were already sent under the old one${words}`, {
    hint: 'Pass --accept-mapping to apply it to what was not sent yet, or use the mapping of the first import',
  });
}

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
