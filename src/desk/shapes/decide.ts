import type { Page } from './state.ts';

/** A decision that is open, or was made. */
export interface Card {
  /** `q:messages.reply`, `f:author-not-described`, `i:row-not-understood`, `columns`. */
  readonly id: string;
  readonly kind: 'question' | 'finding' | 'invalid' | 'columns';
  readonly title: string;
  readonly key: string | null;
  readonly because: string;
  /** As `init --explain` prints it, at most 12. */
  readonly evidence: readonly string[];
  readonly isRequired: boolean;
  readonly affects: { readonly count: number; readonly of: 'messages' | 'rows' } | null;
  /** What happens if nothing is decided. */
  readonly otherwise: string;
  readonly answers: readonly CardAnswer[];
  readonly takesText: boolean;
  readonly takesSeveral: boolean;
  readonly decided: {
    readonly answer: number | null;
    readonly value: string;
    readonly by: string | null;
    readonly atMs: number | null;
    readonly holds: boolean;
  } | null;
}

export interface CardAnswer {
  readonly label: string;
  readonly because: string;
  /** As `--set` takes it; empty: nothing is written but the decision. */
  readonly sets: readonly { readonly key: string; readonly value: string }[];
  readonly isProposed: boolean;
  readonly isLastResort: boolean;
}

export interface CardPage extends Page<Card> {
  readonly version: string;
  readonly open: number;
  readonly isPlanned: boolean;
}

export interface CardPreview {
  readonly card: string;
  readonly answer: number;
  readonly rows: readonly PreviewRow[];
  /** Why there are none. */
  readonly why: string | null;
}

/** A row of the export, and the message that it becomes. */
export interface PreviewRow {
  readonly place: string;
  readonly row: readonly (readonly [column: string, value: string])[] | null;
  /** Why the row is not shown. */
  readonly why: string | null;
  readonly message: readonly (readonly [part: string, text: string])[];
  readonly verdict: 'undecided' | 'sent' | 'skipped' | 'invalid';
  readonly reason: string | null;
}

export interface AnswerRequest {
  readonly version: string;
  readonly card: string;
  /** Positions in the answers of the card. */
  readonly answers: readonly number[];
  readonly text?: string;
  readonly by: string;
}

export interface Answered {
  readonly version: string;
  /** Id of the next card that is open. */
  readonly next: string | null;
  readonly open: number;
  readonly written: readonly string[];
  readonly command: string;
}

/** A table, a file with rows, a collection. */
export interface TableRow {
  readonly name: string;
  readonly rows: number | null;
  readonly isAtLeast: boolean;
  readonly columns: number;
  readonly role: string | null;
  readonly why: string | null;
}

export interface SchemaView {
  readonly tables: readonly TableRow[];
  readonly links: readonly {
    readonly from: string;
    readonly column: string;
    readonly to: string;
    readonly key: string;
    readonly isDeclared: boolean;
  }[];
  readonly total: number;
}

export interface TableView {
  readonly table: TableRow;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly means: string | null;
    readonly isKey: boolean;
  }[];
  readonly rows: readonly (readonly string[])[];
}

export interface DecideRoutes {
  'GET cards': CardPage;
  'GET card': Card;
  'GET preview': CardPreview;
  'POST answer': Answered;
  'POST undo': Answered;
  'GET schema': SchemaView;
  'GET table': TableView;
}
