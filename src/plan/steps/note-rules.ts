import { isObject } from '../../lib/maps/objects.ts';
import { formatCount } from '../../lib/text/count.ts';
import { version } from '../../lib/version.ts';
import type { Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import { formatLocation } from '../../lib/text/location.ts';
import { truncate } from '../../lib/text/plain-text.ts';
import type { Mapping } from '../../mapping/load.ts';
import type { Rules } from '../../mapping/rules.ts';
import { type ActionKind, actionKinds } from '../../model/action.ts';
import { duplicateDirectCode } from './after-reading.ts';
import { noteMerges } from '../merges.ts';
import type { PlanInput, Planning, PlanRules } from '../plan-options.ts';

/** Amount to read, according to the rules and the plan before. */
export interface PlanNeeds {
  /** The rules changed, so that every row may become another. */
  readonly everything: boolean;
  /** The plan before was interrupted: this one is the same, and goes on. */
  readonly isContinued: boolean;
}

/**
 * Begins a plan in the store, with everything that decides its verdicts. Runs inside the caller's transaction.
 *
 * @throws UsageError if the mapping changed after something was sent under the old one, and that was not accepted.
 */
export function notePlan({ store, input, rules }: Planning): PlanNeeds {
  const { inputs, adapter, corrections, sourceOptions } = input;
  const isContinued = store.facts.read('isComplete') === 'no';
  if (!isContinued) store.facts.beginPlan();
  // Corrections go with what is staged.
  if (!corrections) store.facts.write('source', adapter.name);
  const everything = noteRules(store, input, rules);
  store.facts.write('isComplete', 'no');
  if (!corrections) store.facts.write('consecutiveIds', adapter.consecutiveIds?.(sourceOptions) ?? 'no');
  store.facts.write('exports', JSON.stringify(inputs.map(({ label }) => label)));
  noteInputProblems(store, inputs);
  return { everything, isContinued };
}

/** Notes problems that were found while listing the inputs; they belong to no file that was read. */
function noteInputProblems(store: Store, inputs: PlanInput['inputs']): void {
  const { problems } = store;
  problems.forgetAllBut(duplicateDirectCode);
  for (const input of inputs) {
    for (const { code, reason, location } of input.problems) problems.note(code, reason, formatLocation(location));
  }
}

function plannedRules(store: Store): Rules | undefined {
  const text = store.facts.read('rules');
  return text === undefined ? undefined : (JSON.parse(text) as Rules);
}

/** Changed keys that a refusal names. */
const namedMax = 5;

/**
 * Remembers everything that decides the verdicts of staged rows, and prepares the store if it changed.
 *
 * @returns Whether it differs from what the staged rows were made with.
 */
function noteRules(store: Store, { sourceOptions, corrections }: PlanInput, rules: PlanRules): boolean {
  const { mapping, profile, only, allowMappingChange, actions } = rules;
  const now = {
    mappingHash: mapping.hash,
    limitsHash: JSON.stringify(profile.limits),
    people: profile.people,
    sourceOptions: JSON.stringify(corrections?.sourceOptions ?? sourceOptions),
    // A filter may change at any time: a pilot is widened, and what was sent stays sent.
    only: only?.text ?? '',
    actions: actions.join(),
    members: mapping.rules.conversations.members,
    former: mapping.rules.people.former,
    ignoredFiles: mapping.rules.files.ignore.join('\n'),
    // Another version may read the same files otherwise. Corrections go with what the version before has staged.
    version: (corrections && store.facts.read('version')) ?? version,
  };
  const changed = (Object.keys(now) as (keyof typeof now)[]).filter((key) => {
    const before = store.facts.read(key);
    return before !== undefined && before !== now[key];
  });
  const isSent = store.destinations.hasSent();
  if (changed.includes('mappingHash') && isSent && !allowMappingChange) throw mappingChanged(store, mapping);
  const isUpdated = changed.length === 1 && changed[0] === 'version';
  // After an update nothing is forgotten: archives that were read may be gone.
  if (changed.length > 0 && (isSent || isUpdated)) {
    store.messages.freezeAll();
    store.files.reopenAll();
  } else if (changed.length > 0 && store.destinations.hasTakenBack()) store.files.reopenAll();
  else if (changed.length > 0) store.files.forgetExport();
  for (const [key, value] of Object.entries(now)) store.facts.write(key as keyof typeof now, value);
  store.facts.write('retentionSaid', profile.isRetentionSaid ? 'yes' : 'no');
  store.facts.write('rules', JSON.stringify(mapping.rules));
  store.facts.write('confirmed', JSON.stringify(mapping.reading ?? {}));
  noteMerges(store, mapping.rules.conversations.merge);
  return changed.length > 0;
}

function mappingChanged(store: Store, { rules }: Mapping): UsageError {
  const planned = plannedRules(store);
  const changes = planned === undefined ? [] : changedRules(planned, rules);
  const named = changes.slice(0, namedMax).map(({ key, from, to }) => `${key} was ${from}, is ${to}`);
  if (changes.length > namedMax) named.push(`${formatCount(changes.length - namedMax)} more`);
  const words = named.length > 0 ? `: ${named.join('; ')}` : '';
  return new UsageError(`Cannot plan with a changed mapping: messages were already sent under the old one${words}`, {
    hint: `Pass --allow-mapping-change to apply it to messages that were not sent yet, or ${store.destinations.hasLeft() ? 'use the mapping of the first import' : 'begin again, as this was a rehearsal alone: --store with a new file'}`,
  });
}

/**
 * Kinds of actions that a plan stages, in the order in which they are done.
 *
 * @param asked What `--actions` says; absent: what the latest plan of the store was asked for.
 */
export function plannedActions(
  store: Store,
  { messages }: Rules,
  asked: readonly ActionKind[] | undefined,
): readonly ActionKind[] {
  const chosen: readonly string[] = asked ?? (store.facts.read('actions') ?? '').split(',');
  return actionKinds.filter(
    (kind) => chosen.includes(kind) || (kind === 'reactions' && messages.reactions === 'replay'),
  );
}

/** A key of the mapping whose value differs. `key` is dotted: `messages.system`; the values are JSON, shortened. */
export interface ChangedRule {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Columns of a value that are shown. */
const shownMax = 40;

/** Returns the differences between two mappings, key by key, in the order of the newer one. */
function changedRules(from: unknown, to: unknown, prefix = ''): ChangedRule[] {
  if (isObject(from) && isObject(to)) {
    const keys = new Set([...Object.keys(to), ...Object.keys(from)]);
    return [...keys].flatMap((key) => changedRules(from[key], to[key], prefix === '' ? key : `${prefix}.${key}`));
  }
  const [before, after] = [print(from), print(to)];
  return before === after ? [] : [{ key: prefix, from: truncate(before, shownMax), to: truncate(after, shownMax) }];
}

const print = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
