import type { Decision } from '../../decisions/decision.ts';
import type { Excerpt, Person, ShownMessage } from '../../viewer/shapes.ts';
import type { Page } from './state.ts';

/** A table, a file with rows, a collection. */
export interface TableRow {
  readonly name: string;
  /** Null if nobody knows it without counting. */
  readonly rows: number | null;
  readonly columns: number;
  /** `messages`, `users`, …; null if it is not read. */
  readonly role: string | null;
  readonly why: string | null;
}

export type CardGroup = 'who' | 'where' | 'when' | 'seen by' | 'words' | 'files' | 'platform lines';

/** A decision, with what only the page needs. */
export interface Card extends Decision {
  readonly group: CardGroup;
  /** Whether `about` is all that the export has. */
  readonly isAll: boolean;
  /** Those among them that the last plan found: `thread replies`. Null if it is about nothing of the kind, and without a plan. */
  readonly found: { readonly name: string; readonly count: number } | null;
  readonly takesSeveral: boolean;
}

/** A card with the version of the files that it was made of. */
export interface SeenCard extends Card {
  readonly version: string;
}

export interface CardPage extends Page<Card> {
  readonly version: string;
  /** Cards that are to be decided, on all pages. */
  readonly open: number;
  /** Findings appear after a plan. */
  readonly isPlanned: boolean;
  /** Whether the export is tables, as far as is known. */
  readonly hasTables: boolean;
  /** The last answer in words, if it can be taken back. */
  readonly undo: string | null;
}

export interface CardPreview {
  readonly card: string;
  /** Index of the option; -1: as it is, or with `text`. */
  readonly answer: number;
  /** A value of the user's own; null for an option that asks for none. */
  readonly text: string | null;
  /** At most three. */
  readonly rows: readonly PreviewRow[];
  /** Why there are none. */
  readonly why: string | null;
}

export interface PreviewRow {
  readonly place: string;
  /** Null if it cannot be shown. */
  readonly row: readonly (readonly [column: string, value: string])[] | null;
  readonly why: string | null;
  /** What it becomes, part by part; `?` for a part that is not decided. */
  readonly message: readonly (readonly [part: string, text: string])[];
  readonly verdict: 'undecided' | 'sent' | 'skipped' | 'invalid';
  /** The rule or code by which it is not sent. */
  readonly reason: string | null;
  /** Null if the message cannot be read again. */
  readonly bubble: Bubble | null;
}

/** A message as the chats show it: as it is sent; of one that is not sent, what the export has. */
export interface Bubble {
  readonly message: ShownMessage;
  readonly author: Person;
  readonly conversation: string;
  /** The messages that it answers or quotes, by the keys that its data has for them. */
  readonly roots: Readonly<Record<string, Excerpt>>;
}

export interface Answered {
  readonly version: string;
  /** The next card to decide; null if none is left. */
  readonly next: string | null;
  readonly open: number;
  /** Paths of files that changed. */
  readonly written: readonly string[];
  /** The command that does the same; empty if none does. */
  readonly command: string;
  /** The last answer, if it can be taken back. */
  readonly undo: string | null;
}

export interface SchemaView {
  /** At most 2,000: those with a role first. */
  readonly tables: readonly TableRow[];
  /** At most 5,000. */
  readonly links: readonly SchemaLink[];
  /** Of all tables. */
  readonly total: number;
}

export interface SchemaLink {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  readonly key: string;
  /** Whether the database says so; otherwise the names and values do. */
  readonly isDeclared: boolean;
}

export interface TableView {
  readonly table: TableRow;
  /** At most 200. `means`: the key of the mapping that reads it. */
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly means: string | null;
    readonly isKey: boolean;
  }[];
  /** Values by column, of the table of messages alone: others may hold what nobody asked for. */
  readonly rows: readonly (readonly string[])[];
}

export interface DecideRoutes {
  'GET cards': CardPage;
  /** Null if it is no longer asked. */
  'GET card': SeenCard | null;
  'GET preview': CardPreview;
  'GET schema': SchemaView;
  'GET table': TableView;
  'POST answer': Answered;
  'POST undo': Answered;
}
