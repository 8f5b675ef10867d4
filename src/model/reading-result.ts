/**
 * The fate of the rows of an export. The picture that a person confirms is drawn from it, and the alarms judge it. `init` makes it from
 * entries, a plan from its store, which keeps it. Counts are messages that would be sent, each once however many versions it has, unless said otherwise.
 */
export interface ReadingResult {
  readonly messages: number;
  readonly invalid: number;
  /** Rows that a rule leaves out, by its name, most first. */
  readonly skipped: readonly Counted[];
  readonly people: {
    /** People whom the export describes, whether they wrote or not. */
    readonly described: number;
    /** People who wrote. */
    readonly wrote: number;
    /** By name, most messages first; at most 8. */
    readonly top: readonly Counted[];
    /** People who wrote once. */
    readonly once: number;
    /** Messages of authors whom the export neither describes nor names. */
    readonly unknown: number;
    /** Those by 0, -1 or an empty id: a system, a visitor, a deleted person. */
    readonly nobody: number;
    /** Number of people who wrote, by the kind of their name. */
    readonly names: Readonly<Record<NameKind, number>>;
    /** Ids that two tables of people have, or two rows that became one person: people. */
    readonly twice: number;
  };
  readonly conversations: {
    /** Those with messages. */
    readonly count: number;
    /** Direct ones, and others in which two people wrote. */
    readonly ofTwo: number;
    /** By name, largest first; at most 8. */
    readonly top: readonly Counted[];
    /** All of each type, with their members together, and those without any. Absent if nobody has counted them. */
    readonly types?: readonly {
      readonly type: string;
      readonly count: number;
      readonly members: number;
      readonly empty: number;
    }[];
    /** With one message. */
    readonly oneMessage: number;
    /** Where one person wrote all. */
    readonly oneWriter: number;
    /** Who wrote over 60 % in the most conversations of at least three messages, and is no bot: in how many. */
    readonly voice: Counted | null;
  };
  readonly times: {
    readonly firstMs: number | null;
    readonly lastMs: number | null;
    /** Before 1995, or after tomorrow. */
    readonly outside: number;
    /** Messages that are earlier than one with a smaller numeric id, of `ordered`. */
    readonly againstIds: number;
    readonly ordered: number;
  };
  /** Texts that were looked at, and those of them that look encrypted. */
  readonly texts: { readonly looked: number; readonly cipher: number };
  /** Messages with the text, author and second of another message. */
  readonly copies: { readonly count: number; readonly isExact: boolean };
}

/** `local`: the part of their mail address before the @. */
export type NameKind = 'name' | 'id' | 'hash' | 'mail' | 'local';

export interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Tables hold this next to the rows that are read: found by a look at their first rows. */
export interface BesideReading {
  /** Tables that are not read and have texts, times and two columns of people. */
  readonly rivals: readonly { readonly table: string; readonly rows: number | null }[];
  /** Columns that nothing reads and that sort the rows of messages; `to` is the table of which they name rows. */
  readonly splits: readonly { readonly column: string; readonly values: number; readonly to: string | null }[];
  /** Columns that nothing reads, of messages or of a table that names them, with values that come again: they may say in which conversation a message was. */
  readonly rooms: readonly { readonly column: string; readonly table: string | null; readonly values: number }[];
  /** Ids of authors that are found in two tables of people. */
  readonly shared: readonly { readonly tables: readonly [string, string]; readonly ids: readonly string[] }[];
  /** Tables of people that nothing reads, if no table of people is read. */
  readonly people: readonly string[];
  /** Columns with names of people that nothing reads: `users.full_name`. */
  readonly names: readonly string[];
}

export const nothingBeside: BesideReading = { rivals: [], splits: [], rooms: [], shared: [], people: [], names: [] };
