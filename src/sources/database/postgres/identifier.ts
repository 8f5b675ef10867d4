/** As a statement names it: `"user"`, `"a ""b"""`. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** `"chat"."messages"`: never looked up in a search path. */
export const qualified = (schema: string, name: string): string => `${quoted(schema)}.${quoted(name)}`;
