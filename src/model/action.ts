/**
 * Actions after the messages, in this order: a service may refuse a reaction between two people of whom one has blocked the other, and a
 * deactivated person can do nothing any more.
 */
export const actionKinds = ['friends', 'reactions', 'blocks', 'deactivations'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** Facts that people should know before they ask for any action. */
export const actionsWarning =
  'people may be notified of friends and reactions; switch notifications and webhooks off at the destination first';
