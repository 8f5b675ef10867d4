/**
 * The author of a message that was written under a name of its own: a webhook, a bridge, a relay with profiles. One id writes for many,
 * so each name is an author. The id has both, and the same name has the same author in every file.
 */
export const authorUnderName = (id: string, name: string): string => `${id}:${name}`;

/**
 * The id of an author who has none: their name tells them apart from others without one.
 *
 * @returns undefined without a name.
 */
export const idByName = (kind: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : authorUnderName(kind, name);
