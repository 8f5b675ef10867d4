/**
 * How a message changed at the source after it was sent. `changed`: in something else than its text, its reactions and
 * whether it is there.
 */
export const changeKinds = ['edited', 'deleted', 'restored', 'reactions', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Ways to handle such a change. */
export const driftPolicies = ['report', 'send', 'ignore'] as const;
export type DriftPolicy = (typeof driftPolicies)[number];

/** Ways to handle a message that is older than those at the destination. */
export const outOfOrderPolicies = ['warn', 'reject', 'allow'] as const;
export type OutOfOrderPolicy = (typeof outOfOrderPolicies)[number];

/** Content of an export: the whole history, or its last days or weeks. */
export const exportScopes = ['full', 'window'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The digest of a message that its file no longer holds. */
export const goneDigest = '';

/** The digest of a version of which only a destination knows. */
export const unknownDigest = '?';
