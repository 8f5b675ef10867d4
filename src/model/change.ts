/**
 * How a message changed at the source after it was sent. `changed`: in something else than its text, its reactions and
 * whether it is there.
 */
export const changeKinds = ['edited', 'deleted', 'restored', 'reactions', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What is done about such a change. */
export const driftPolicies = ['report', 'send', 'ignore'] as const;
export type DriftPolicy = (typeof driftPolicies)[number];

/** What is done with a message that is older than what is there already. */
export const latePolicies = ['send', 'refuse', 'allow'] as const;
export type LatePolicy = (typeof latePolicies)[number];

/** What an export holds: the whole history, or the last days or weeks of it. */
export const exportSpans = ['everything', 'recent'] as const;
export type ExportSpan = (typeof exportSpans)[number];
