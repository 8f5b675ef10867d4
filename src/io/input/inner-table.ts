/** A table in a binary file: its path, the file, and its rows as JSON Lines. */
export interface InnerTable {
  readonly path: string;
  readonly file: string;
  /** Its first bytes, if finding them again would take long. */
  readonly head?: Uint8Array;
  lines(): AsyncIterable<Uint8Array>;
}

/** A name as a part of a path, escaped as mongodump does for its files. */
export const inPath = (name: string): string =>
  /^\.{1,2}$/.test(name)
    ? name.replaceAll('.', '%2E')
    : name.replace(
        /[%/\\:\0-\x1f]/g,
        (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
      );
