/**
 * What may be done after the messages, in the order in which it is done. Blocks come behind reactions, because a service may
 * refuse a reaction between two of whom one has blocked the other; deactivations come last, because whoever is deactivated can
 * do nothing any more.
 */
export const actionKinds = ['friends', 'reactions', 'blocks', 'deactivations'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** What people should know before they ask for any of it. */
export const actionsWarning =
  'people may be notified of friends and reactions; switch notifications and webhooks off at the destination first';
