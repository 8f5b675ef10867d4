import type { Entry } from '../../../model/entry.ts';
import type { ChildRows } from '../copy/child-rows.ts';
import type { Row } from '../row.ts';

/** State shared by the binders of one export. */
export interface BindContext {
  /** Name of the source and id of the workspace: part of every origin. */
  readonly source: string;
  readonly workspace: string;
  readonly nulls: readonly string[];
  readonly zone: string | undefined;
  /** Whether a table of conversations describes this one; others are made from what messages say. */
  isDescribed(conversation: string): boolean;
  describe(conversation: string): void;
  /** The rule by which the mapping leaves a conversation out, with all of its messages. */
  ruleAgainst(conversation: string): string | undefined;
  leaveOut(conversation: string, rule: string): void;
  /** A row of the table of conversations could not be read. */
  loseConversation(): void;
  /** Whether a lost row may say that this one is left out. */
  mayBeLeftOut(conversation: string): boolean;
  /** Told of each value by which a condition or a list of values of one table sorts its rows. */
  readonly onWord?: ((column: string, word: string) => void) | undefined;
  /** Rows of other tables that belong to messages and conversations, where there are such tables. */
  readonly children?: Pick<ChildRows, 'of' | 'addMembersOf'> | undefined;
}

/** Rows of one table become entries. */
export interface RowBinder {
  /** Columns (paths) without which no row can be read, and the others that the mapping names. */
  readonly required: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  /** Lists among them that are read in part: the paths read inside an element. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Before the first row of each file: what is remembered of rows never reaches from one file into another. */
  beginFile(): void;
  /**
   * Adds the row's record or invalid row, with what else there is to say: a conversation that is met for the first time, problems.
   *
   * @returns Whether the row is used: then what the mapping does not read of it is not migrated.
   */
  bind(row: Row, into: Entry[]): boolean;
  /** After the last row: counts of what was not said one by one. */
  endFile(path: string, into: Entry[]): void;
}
