import type { DeskError, Page } from './state.ts';

/** Totals of an export. Counts are timeline rows unless stated otherwise. */
export interface SourceCounts {
  readonly messages: number;
  readonly internal: number;
  readonly system: number;
  readonly invalid: number;
  /** Whatever else a person should know. */
  readonly problems: number;
  readonly people: number;
  readonly conversations: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** What the export is. */
export interface SourceView {
  /** As they were named. */
  readonly exports: readonly string[];
  /** Null until it is recognised, and if nothing recognises it. */
  readonly source: { readonly name: string; readonly title: string } | null;
  /** Why each input was recognised. */
  readonly inputs: readonly { readonly label: string; readonly because: string }[];
  /** Why it cannot be read. */
  readonly error: DeskError | null;
  /** Null until it is counted. */
  readonly counts: SourceCounts | null;
  /** Tables of a database, or files of tables, that are read: by their role, with why each was chosen. */
  readonly tables: readonly { readonly role: string; readonly table: string; readonly because: string }[];
  /** What has to be decided before anything of it can be counted. */
  readonly questions: readonly { readonly key: string; readonly because: string }[];
  /** The first invalid rows and problems. */
  readonly notes: readonly { readonly location: string; readonly reason: string }[];
  /** The command that shows the same in the terminal. */
  readonly command: string;
  /** The command that comes next; null until the export is counted. */
  readonly next: string | null;
}

/** A file, or a table of a database, with the records that were read from it. */
export interface PartRow {
  readonly path: string;
  /** Absent unless the export is a database. */
  readonly table?: string;
  /** Timeline rows, also those that cannot be read. */
  readonly rows: number;
  readonly people: number;
  readonly conversations: number;
}

/** Files that are ignored for one reason. */
export interface IgnoredRow {
  readonly reason: string;
  readonly count: number;
  /** Path. */
  readonly first: string;
}

export interface SourceRoutes {
  'GET source': SourceView;
  'GET parts': Page<PartRow>;
  'GET ignored': Page<IgnoredRow>;
}
