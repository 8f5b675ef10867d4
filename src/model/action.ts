/**
 * What may be done after the messages, in the order in which it is done. Blocks come behind reactions, because a service may
 * refuse a reaction between two of whom one has blocked the other; deactivations come last, because whoever is deactivated can
 * do nothing any more.
 */
export const actionKinds = ['friends', 'reactions', 'blocks', 'deactivations'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** Those that are about people alone, and no message. */
const peopleActions: readonly ActionKind[] = ['friends', 'blocks', 'deactivations'];

/** What one run does: everything; messages and what belongs to them; or what is about people alone, once all parts of an export have arrived. */
export type ActionsNow = 'all' | 'of-messages' | 'of-people';

/** The kinds of actions of such a run, in the order in which they are done. */
export const kindsOf = (now: ActionsNow = 'all'): readonly ActionKind[] =>
  actionKinds.filter((kind) => now === 'all' || peopleActions.includes(kind) === (now === 'of-people'));

/** What people should know before they ask for any of it. */
export const actionsWarning =
  'people may be notified of friends and reactions; switch notifications and webhooks off at the destination first';
