/**
 * The author of a message that was written under a name of its own: a webhook, a bridge, a relay with profiles. One id writes for many,
 * so each name is an author. The id has both, and the same name has the same author in every file.
 */
export const authorUnderName = (id: string, name: string): string => `${id}:${name}`;
