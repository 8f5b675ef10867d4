/**
 * SQL: whether a planned message `m` is to be sent to the destination of its delivery `d` (joined from the left): nothing was tried
 * there, or what was tried surely changed nothing. A follow-up goes only where a delivery of it stands.
 */
export const isPending = `(d.state = 'pending' OR (d.state IS NULL AND m.follows IS NULL))`;
