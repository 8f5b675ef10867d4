import type { BesideReading, ReadingResult } from '../model/reading-result.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';

/** Facts by the names under which they are kept. */
export interface Meta {
  source: string;
  /** JSON of the adapter's options. */
  sourceOptions: string;
  workspace: string;
  /** `origin.source` of its messages: the source itself, or that of which our own records were made. Part of every muid. */
  originSource: string;
  /** Labels of the exports of the latest plan, JSON array. */
  exports: string;
  /** Hash of the mapping, and of what else decided the latest plan's verdicts. */
  mappingHash: string;
  /** JSON of the mapping's rules. */
  rules: string;
  /** JSON: by conversation, the conversations that a mapping has ever merged into it; ids at the source. Absent if none was merged. */
  merged: string;
  limitsHash: string;
  /** How people come to the destination of the latest plan: `import`, `with-messages`. */
  people: string;
  /** That of the program that made the latest plan. */
  version: string;
  /** The filter of the latest plan, as it was written; empty without one. */
  only: string;
  /** Files that the latest plan was asked to ignore: one glob a line; empty without one. */
  ignoredFiles: string;
  /** Who is a member of groups for which the export lists none, by the mapping of the latest plan. */
  members: string;
  /** The value of `people.former` in the mapping of the latest plan. */
  former: string;
  /** Kinds of actions that the latest plan was asked for, with commas between; empty without one. */
  actions: string;
  /** When the latest plan that has read everything began, in epoch ms: the verdicts that depend on the time are of then. */
  judgedAt: string;
  /** `yes` if the user of the latest plan stated how long the destination keeps messages, even if permanently. */
  retentionSaid: string;
  /** `yes` once a plan has read everything. */
  isComplete: string;
  /** Destination of the latest plan, by id. */
  destination: string;
  profile: string;
  /** JSON: digests of the export, the mapping and the profile of the latest plan. */
  pins: string;
  /** JSON list: what of them changed since the plan before. */
  changedSince: string;
  /** How many plans there were, and the greatest `seq` before the latest. One that goes on where another was cut off is the same plan. */
  plan: string;
  knownUpTo: string;
  /** Scope in which the source's message ids are whole numbers without gaps: no, conversation, export. */
  consecutiveIds: string;
  /** `yes` once `purge` wiped payloads: planned messages without one cannot be sent. */
  contentPurged: string;
  /** Members of groups who never wrote: the service has no operation that adds them. */
  silentMembers: string;
  /** JSON: people, groups and memberships that the latest plan read, and why some of them do not come along. */
  arrivals: string;
  /** `yes` if the latest plan skipped messages of people who are no members of their group. */
  formerSkipped: string;
  /** JSON: replies whose thread root the export does not have, how many were read and how many are planned. */
  orphanReplies: string;
  /** JSON of `ReadingResult`: what became of the rows, as the latest plan that read something counted it. */
  reading: string;
  /** JSON: what tables hold next to the rows that are read, and a digest of what the look at them depends on. */
  beside: string;
  /** JSON: what was seen while rows passed (`plan/looks.ts`). */
  seen: string;
  /** Reactions to be replayed of people who never wrote in the group. */
  silentReactions: string;
  /** JSON of the rules by which files were copied last, without secrets. Absent if none were ever copied. */
  media: string;
  /** JSON: the section `reading` of the mapping of the latest plan, or null. */
  confirmed: string;
  /** JSON: the alarms for which rows are kept back, and `reading.seen` of the mapping at that time; absent without one. */
  keptBack: string;
  /** JSON: tables of the export with their columns, as the latest plan saw them; for tables and databases. */
  tables: string;
  /** JSON: the values by which rows are sorted, by role and column. */
  words: string;
  /** While a process writes: the identity of the file. Absent once it was closed. */
  openedAs: string;
}

const statements = lateStatements({
  read: value<[key: string], string>`SELECT value FROM meta WHERE key = ?`,
  write: sql<[key: string, value: string]>`
    INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  drop: sql<[key: string]>`DELETE FROM meta WHERE key = ?`,
  greatestSeq: value<[], number>`SELECT coalesce(max(seq), 0) FROM message`,
});

/** Facts that the store holds about itself. */
export class Facts extends withStatements(statements) {
  read(key: keyof Meta): string | undefined {
    return this.sql.read.get(key);
  }

  write(key: keyof Meta, text: string): void {
    this.sql.write.run(key, text);
  }

  drop(key: keyof Meta): void {
    this.sql.drop.run(key);
  }

  /** The fate of the rows, as the latest plan that read something counted it; undefined before the first. */
  reading(): ReadingResult | undefined {
    const reading = this.read('reading');
    return reading === undefined ? undefined : (JSON.parse(reading) as ReadingResult);
  }

  /** The look at what tables hold next to the rows that are read; undefined for other sources. */
  beside(): { readonly of: string; readonly found: BesideReading } | undefined {
    const beside = this.read('beside');
    return beside === undefined ? undefined : (JSON.parse(beside) as { of: string; found: BesideReading });
  }

  /** Number of the latest plan, from 1; 0 before the first plan. */
  planNumber(): number {
    return Number(this.read('plan') ?? 0);
  }

  /** A new plan begins: it gets a number, and what is known before it is remembered. Inside the caller's transaction. */
  beginPlan(): void {
    this.write('plan', String(this.planNumber() + 1));
    this.write('knownUpTo', String(this.sql.greatestSeq.get()));
  }
}
