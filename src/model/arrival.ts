/** What an import brings besides messages, in this order, where a destination has operations for it. */
export const arrivalKinds = ['people', 'groups', 'members'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];
