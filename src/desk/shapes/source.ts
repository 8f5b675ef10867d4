import type { DeskError, DeskRun, Page } from './state.ts';

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
  /** Files that were read. */
  readonly files: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** Messages of people and bots over time, without gaps, at most 62; `per` is `day` or `month`, for example. */
  readonly bins: readonly { readonly label: string; readonly count: number }[];
  readonly per: string;
}

/** Copies of files that were dropped into the page. */
export interface CopiedFiles {
  /** As the commands name it. */
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that were not copied to their end. */
  readonly unfinishedBytes: number;
}

/** The sources that the user may name. */
export interface ReadAs {
  /** Name of the one that `chatferry.yaml` says; null if it says none. */
  readonly source: string | null;
  /** `command` does the same in the terminal. */
  readonly sources: readonly { readonly name: string; readonly title: string; readonly command: string }[];
}

export interface SourceView {
  /** As they were named. */
  readonly exports: readonly string[];
  /** Null until it is recognised, and if nothing recognises it. */
  readonly source: { readonly name: string; readonly title: string } | null;
  /** Why each input was recognised; null if the user named the source. */
  readonly inputs: readonly { readonly label: string; readonly because: string | null }[];
  /** Why it cannot be read; null while only a password is missing. */
  readonly error: DeskError | null;
  /** Whether the server of a database asks for a password, or refused the one that it got. */
  readonly wantsPassword: boolean;
  /** Null if the export was recognised, and if a flag or a variable of the desk names the source. */
  readonly readAs: ReadAs | null;
  /** Null until it is counted. */
  readonly counts: SourceCounts | null;
  /** Messages that the destination does not keep so long; null if there are none, and until it is counted. To the end of the day (UTC). */
  readonly older: { readonly days: number; readonly count: number; readonly total: number } | null;
  /** Tables of a database, or files of tables, that are read: by their role, with why each was chosen. */
  readonly tables: readonly { readonly role: string; readonly table: string; readonly because: string }[];
  /** Decisions without which nothing of it can be counted. */
  readonly questions: readonly { readonly question: string; readonly why: string }[];
  /** The first invalid rows and problems, with the title of their code, if it has one. */
  readonly notes: readonly { readonly location: string; readonly title: string | null; readonly reason: string }[];
  /** Copies of files that were dropped into the page; null if there are none. */
  readonly dropped: CopiedFiles | null;
  /** The command that shows the same in the terminal. */
  readonly command: string;
  /** The command that comes next; null until the export is counted. */
  readonly next: string | null;
}

/** A source that can be read, for a person who looks for an export. */
export interface KnownSource {
  readonly name: string;
  readonly title: string;
}

/** How a person gets an export of a source, in Markdown. */
export interface HowTo {
  readonly title: string;
  readonly text: string;
  /** The part with commands of a terminal; empty if there is none. */
  readonly commands: string;
}

/** A provider whose history can be fetched, with what it has to be given. */
export interface Provider {
  readonly name: string;
  readonly title: string;
  /** Which key, and where it is made. */
  readonly key: string;
  /** Why it may fail; null for one that was tried. */
  readonly unverified: string | null;
  /** `usual` is taken for an empty one; one without must be given. */
  readonly settings: readonly { readonly id: string; readonly what: string; readonly usual: string }[];
}

export interface FetchRoutes {
  'GET providers': readonly Provider[];
  'POST fetch': DeskRun;
}

/** A file, those of a conversation by day, or a table of a database, with the records that were read from it. */
export interface PartRow {
  readonly path: string;
  /** Absent unless the export is a database. */
  readonly table?: string;
  /** What it is read as: `messages`. Null for a file with fixed fields, and for a table that nothing reads. */
  readonly role: string | null;
  /** Timeline rows, also those that cannot be read. Of a table that was not read: all that it has. Null if that is not known. */
  readonly rows: number | null;
  /** Whether the number is an estimate. */
  readonly isAbout: boolean;
  readonly people: number;
  readonly conversations: number;
  /** Times of its first and last message, in ms; null if no time can be read. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** Files that are ignored for one reason. */
export interface IgnoredRow {
  readonly reason: string;
  readonly count: number;
  /** Path. */
  readonly first: string;
}

/** Part of a file that was dropped. The path says which one: `name`, `at`, `size` and `modified`, in bytes and in ms. */
export interface UploadAnswer {
  /** Bytes of the file that are there: where its next part begins. */
  readonly received: number;
}

export interface ChosenRoutes {
  'PUT upload': UploadAnswer;
  'POST upload-end': SourceView;
  'DELETE files': SourceView;
  'POST sample': SourceView;
  'POST export': SourceView;
  'POST read-as': SourceView;
  'POST password': object;
}

export interface SourceRoutes extends ChosenRoutes {
  'GET sources': readonly KnownSource[];
  'GET how-to': HowTo;
  'GET source': SourceView;
  'GET parts': Page<PartRow>;
  'GET ignored': Page<IgnoredRow>;
}
