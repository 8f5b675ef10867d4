import type { ArrivalRules } from '../../model/arrival.ts';
import type { Store } from '../../store/open.ts';
import { type ActionKind, actionKinds } from '../../model/action.ts';
import { UsageError } from '../../lib/errors.ts';
import { askWhole } from '../../mapping/checks.ts';
import { collided } from './collisions.ts';
import { buildDriftNotes } from '../drift-notes.ts';
import { noteReading } from './note-reading.ts';
import { unknownNames } from '../only.ts';
import type { Planning, PlanRules, PlanRun, Read } from '../plan-options.ts';

/** The problem under which a further direct conversation of two people is named. */
export const duplicateDirectCode = 'direct-as-group';

/**
 * Makes the decisions that are only possible once everything is read. Goes through the messages several times.
 *
 * @throws UsageError if two messages have one id, or two people, or two conversations, would become one at the
 *   destination.
 */
export function afterReading(
  planning: Planning,
  { isChanged, counts, seen }: Pick<Read, 'isChanged' | 'counts' | 'seen'>,
): void {
  const { store, rules, run } = planning;
  assertUnique(store, run);
  if (isChanged) store.conversations.reopenDirect(rules.mapping.rules.conversations.outsiders);
  // Alarms count what they have kept back as well.
  const isReleased = isChanged && store.facts.read('keptBack') !== undefined && store.messages.release() > 0;
  const isReopened = isChanged && store.facts.read('formerSkipped') !== undefined && store.arrivals.reopenFormer() > 0;
  const isRuled = applyRules(store, rules) || isReleased || isReopened;
  noteDrift(store, rules);
  // Otherwise the plan before has done this, and going through the messages would be for nothing.
  if (isChanged) decideByWriters(planning, { counts: isRuled ? undefined : counts, seen });
}

function assertUnique(store: Store, { commit }: PlanRun): void {
  const duplicate = store.messages.firstConflict();
  if (!duplicate) return;
  // An export of which nothing was sent leaves the store again: others that it holds go on without it.
  store.files.forget(store.messages.unsentConflictFiles());
  store.files.reopen(store.messages.dropUnmet());
  commit();
  throw new UsageError(
    `Cannot plan: ids of messages are not unique. ${duplicate.place}: ${duplicate.reason.replace(/^T/, 't')}, with another text and time`,
    {
      hint:
        'Give each export its own --workspace and --store, or make the ids unique in the mapping: ' +
        'source.messages.id: { template: "{:file} {id}" }, or no id, so that it is built from the content of the row',
    },
  );
}

/** Rules that look at more than one message. */
function applyRules(store: Store, { mapping, only }: PlanRules): boolean {
  const { conversations, messages } = mapping.rules;
  const changedCount = store.messages.applyOrphanPolicy(messages.orphans);
  store.messages.alignParts();
  store.conversations.prioritize({ first: conversations.first, byTime: conversations.order === 'recent' });
  for (const name of only ? unknownNames(store, only) : [])
    store.problems.note('only-matches-nothing', `Nothing in the export is called so: "${name}"`, '--only');
  return changedCount > 0;
}

/** Notes changes at the source that are only known once everything is read. */
function noteDrift(store: Store, rules: PlanRules): void {
  buildDriftNotes(store, rules).vanished();
  store.messages.followUps.place();
  const knownUpTo = Number(store.facts.read('knownUpTo') ?? 0);
  if (rules.exportScope === 'window' && knownUpTo > 0) store.files.noteGaps(knownUpTo);
  store.files.closeGaps();
}

/** Makes the decisions that depend on who wrote where. */
function decideByWriters(
  { store, input, rules, run }: Planning,
  { counts: counted, seen }: Pick<Read, 'counts' | 'seen'>,
): void {
  const { mapping, only } = rules;
  store.messages.collectWriters(counted);
  store.conversations.placeOutsiders(mapping.rules.conversations.outsiders);
  noteDuplicateDirects(store);
  const arrivals = arrivalRules(rules);
  const counts = leaveOutFormer(store, arrivals) ? undefined : counted;
  store.facts.write('silentMembers', String(store.conversations.countSilentMembers()));
  store.facts.write('arrivals', JSON.stringify(store.arrivals.stage(arrivals)));
  askWhole(store, rules.profile, counts);
  store.actions.stage(wantedActions(rules), only !== undefined);
  store.facts.write('silentReactions', String(store.actions.countSilentReactions()));
  const collisions = store.people.collisions();
  if (collisions.length > 0) {
    // Rows that were read stay, whether or not the next mapping gives these people and conversations different names.
    run.commit();
    throw collided(collisions);
  }
  store.people.keepUids();
  const { outsiders } = mapping.rules.conversations;
  const isName = (sourceId: string) => input.adapter.isName?.(sourceId) === true;
  noteReading(store, { isName, counts: outsiders === 'reject' ? undefined : counts, seen, nowMs: rules.nowMs });
}

/** @returns Whether anything was left out: who wrote where is counted again then. */
function leaveOutFormer(store: Store, rules: ArrivalRules | undefined): boolean {
  const isAnything = rules?.former === 'leave-out' && store.arrivals.leaveOutFormer(rules) > 0;
  if (isAnything) store.facts.write('formerSkipped', 'yes');
  else store.facts.drop('formerSkipped');
  if (isAnything) store.messages.collectWriters();
  return isAnything;
}

/** If people are imported, they are imported active: who is deactivated in the export is deactivated after the messages. */
const wantedActions = ({ actions, profile, mapping }: PlanRules): readonly ActionKind[] =>
  profile.people === 'import' && mapping.rules.people.deleted === 'keep'
    ? actionKinds.filter((kind) => kind === 'deactivations' || actions.includes(kind))
    : actions;

/** Who comes along; nothing where the destination has no operations for it: people come with their messages there. */
function arrivalRules({ mapping, profile, nowMs }: PlanRules): ArrivalRules | undefined {
  if (profile.people !== 'import') return undefined;
  const { everyone, guests, deleted, emailAs, phoneAs, botRole, former } = mapping.rules.people;
  const without = [
    ...(guests === 'skip' ? (['guests'] as const) : []),
    ...(deleted === 'skip' ? (['deleted'] as const) : []),
  ];
  const unlisted = mapping.rules.conversations.members;
  return {
    former,
    everyone,
    without,
    emailAs,
    phoneAs,
    botRole,
    unlisted,
    areDeletedNameless: deleted === 'placeholder',
    nowMs,
  };
}

function noteDuplicateDirects(store: Store): void {
  const { problems } = store;
  problems.forget(duplicateDirectCode);
  for (const { sourceId, other } of store.conversations.separateDuplicateDirects()) {
    const reason = `"${sourceId}" has the same two people as the direct conversation "${other}"`;
    problems.note(duplicateDirectCode, reason, sourceId);
  }
}
