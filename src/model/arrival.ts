/** Kinds of items that an import brings besides messages, in this order, if a destination has operations for it. */
export const arrivalKinds = ['people', 'groups', 'members'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** How people and groups come: by operations of their own, which the specification lacks, or with the messages that name them. */
export const peopleWays = ['import', 'with-messages'] as const;
