import type { Database } from 'better-sqlite3';
import { AttachmentHosts } from '../checkpoint/staging/attachments.ts';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import { type DoubtedNames, type NameIds, saveDoubted } from '../checkpoint/staging/doubted-names.ts';
import { type PackedRows, unpackRow } from '../checkpoint/staging/packed-rows.ts';
import { ProblemWriter } from '../checkpoint/staging/problem-writer.ts';
import { SourceFiles } from '../checkpoint/staging/source-files.ts';
import { conversationWriter } from '../checkpoint/staging/conversations.ts';
import { Relations } from '../checkpoint/staging/actions.ts';
import { personIdReader, personWriter } from '../checkpoint/staging/people.ts';
import type { RowWriter } from '../checkpoint/staging/stage-rows.ts';
import type { StagedConversation, StagedItem, StagedPerson, StagedRow } from '../checkpoint/staging/staged-item.ts';
import { StoreError } from '../lib/errors.ts';
import { IdCounts } from '../lib/maps/id-counts.ts';
import type { Recent } from '../lib/maps/recent.ts';
import type { RelationRecord } from '../model/relation.ts';
import type { FinishedFile, FoundEnd, PackedRun, VerifiedEnd } from './reading/protocol.ts';

/** A file that has begun and not ended. */
interface OpenFile {
  readonly id: number;
  /** Whether it is read from where it ended: what was read of it before stays. */
  readonly goesOn: boolean;
  /** Id of what stands behind its last whole line, where something does or did. */
  rest: number | undefined;
  /** Where its last whole line ended: what comes now stands behind it. */
  end: VerifiedEnd | undefined;
}

const nothing: ReadonlyMap<string, VerifiedEnd> = new Map();
const nobody: DoubtedNames = { people: new Set(), conversations: new Set() };

/** Writes staged items into the store: ids of the source become ids of the store. The caller begins and commits. */
export class ItemWriter {
  /** Rows written so far. */
  rowCount = 0;
  /** Items since the last commit. */
  itemCount = 0;
  readonly #db: Database;
  readonly #storePath: string;
  readonly #rows: RowWriter;
  readonly #people: Recent<string, number>;
  /** By their ids in the store: those whom this pass has named, or an earlier plan. */
  readonly #met = new IdCounts();
  readonly #conversations = new Map<string, number>();
  readonly #savePerson: ReturnType<typeof personWriter>;
  readonly #saveConversation: ReturnType<typeof conversationWriter>;
  readonly #problems: ProblemWriter;
  readonly #hosts: AttachmentHosts;
  readonly #relations: Relations;
  #files: SourceFiles | undefined;
  /** Files of this input that have begun and not ended: one, as long as files come one after the other. */
  readonly #open = new Map<string, OpenFile>();
  /** The path that was asked for last, and its file: items of one file come one after the other. */
  #latest: readonly [path: string, file: OpenFile] | undefined;
  /** Files of this input that are read from where they ended. */
  #ends = nothing;
  /** Who and what the file that is being read has named first behind its last whole line, where that may have been cut. */
  #named: { readonly people: Set<number>; readonly conversations: Set<number> } | undefined;
  /** The packed rows of which some were written last, and the ids of those who sent them, as far as they were needed. */
  #packed: PackedRows | undefined;
  #senders: number[] = [];
  #originSource: string | undefined;
  #workspace: string | undefined;

  /** @param doubted Whose names may have been cut when an earlier plan read them. */
  constructor(db: Database, storePath: string, rows: RowWriter, doubted = nobody) {
    this.#db = db;
    this.#storePath = storePath;
    this.#rows = rows;
    this.#people = personIdReader(db);
    this.#savePerson = personWriter(db, doubted.people);
    this.#saveConversation = conversationWriter(db, (sourceId) => this.#people.get(sourceId), doubted.conversations);
    this.#problems = new ProblemWriter(db);
    this.#hosts = new AttachmentHosts(db);
    this.#relations = new Relations(db);
    this.#originSource = readMeta(db, 'originSource');
    this.#workspace = readMeta(db, 'workspace');
  }

  /** Somebody whom an earlier plan has written, by the id in the store. */
  know(id: number): void {
    this.#met.add(id);
  }

  /** A conversation that an earlier plan has written. */
  knowConversation(sourceId: string, id: number): void {
    this.#conversations.set(sourceId, id);
  }

  /**
   * @param key Absolute path of the folder or archive.
   * @param ends Where files ended that are read from there.
   */
  beginInput(key: string, ends = nothing): void {
    this.#ends = ends;
    this.#files?.flush();
    this.#files = new SourceFiles(this.#db, key);
    this.#open.clear();
    this.#latest = undefined;
  }

  /** Of those, all whom and that nothing has named since. */
  unnamed({ people, conversations }: NameIds): NameIds<number[]> {
    const named = new Set(this.#conversations.values());
    const without = (ids: Iterable<number>, met: Pick<ReadonlySet<number>, 'has'>) => {
      const rest: number[] = [];
      for (const id of ids) if (!met.has(id)) rest.push(id);
      return rest;
    };
    return { people: without(people, this.#met), conversations: without(conversations, named) };
  }

  /** Of the input that is being read. */
  get files(): SourceFiles {
    return this.#files!;
  }

  /** @throws StoreError if the row belongs to another workspace than the store. */
  write(item: StagedItem): void {
    this.itemCount++;
    if (item.type === 'row') this.#writeRow(item.row, this.#fileOf(item.path), item.path);
    else if (item.type === 'person') this.#writePerson(item.person);
    else if (item.type === 'problem') this.#problems.add(this.#fileOf(item.path), item);
    else if (item.type === 'host') this.#hosts.add(this.#fileOf(item.path), item.host);
    else if (item.type === 'relation') this.#writeRelation(item.relation, this.#fileOf(item.path));
    else this.#writeConversation(item.conversation);
  }

  /** Rows that were packed where they were read. */
  writePacked({ rows, from, to, path, of }: PackedRun): void {
    const file = this.#fileOf(path);
    this.itemCount += to - from;
    if (!this.#rows.savePacked) {
      for (let index = from; index < to; index++) this.#writeRow(unpackRow(rows, index, of), file, path);
      return;
    }
    this.#assertBelongs(of);
    const conversation = this.#conversations.get(of.conversation)!;
    if (this.#packed !== rows) [this.#packed, this.#senders] = [rows, []];
    for (let index = from; index < to; index++) {
      const name = rows.senderOf[index]!;
      this.#senders[name] ??= this.#people.get(rows.senders[name]!);
      this.rowCount++;
      this.#rows.savePacked(rows, index, { file, path, conversation, sender: this.#senders[name]! });
    }
  }

  /** What is written of the file from here on may be another next time: it is kept apart. */
  endWholeLines({ path, end }: FoundEnd): void {
    this.#openFile(path).end = end;
    this.#named = { people: new Set(), conversations: new Set() };
  }

  /** Everything of the file was written before this. */
  closeFile({ path, role, reason, stat }: FinishedFile): void {
    this.itemCount++;
    const { id, goesOn, end } = this.#openFile(path);
    if (role === 'unknown') {
      const nothingRead = 'This file is not part of the format; nothing of it was read';
      this.#problems.add(id, { code: 'unknown-file', reason: reason ?? nothingRead, place: path });
    }
    this.#closePart(id, path, !goesOn);
    const isAnyNamed = this.#named !== undefined && this.#named.people.size + this.#named.conversations.size > 0;
    const rest = isAnyNamed ? this.#fileOf(path) : this.#openFile(path).rest;
    if (rest !== undefined) {
      this.#closePart(rest, path, true);
      saveDoubted(this.#db, rest, this.#named ?? nobody);
    }
    this.#named = undefined;
    this.#files!.close(id, path, role, reason, stat);
    if (end) this.#files!.saveEnd(id, end);
    this.#open.delete(path);
    this.#latest = undefined;
  }

  #closePart(file: number, path: string, isReplaced: boolean): void {
    const isReadAgain = isReplaced && !this.#files!.isNew;
    this.#problems.close(file, path);
    this.#hosts.close(file, isReadAgain);
    this.#relations.close(file, isReadAgain);
  }

  /** Should we be killed, the next plan reads a file again that is committed in part. */
  beforeCommit(): void {
    this.itemCount = 0;
    this.#rows.flush();
    this.#problems.flush();
    this.#hosts.flush();
    for (const [path, { id }] of this.#open) this.#files!.saveUnfinished(id, path);
    this.#files?.flush();
  }

  /** The id under which the next item of a file is staged. */
  #fileOf(path: string): number {
    const file = this.#openFile(path);
    if (file.end === undefined) return file.id;
    file.rest ??= this.#files!.restOf(file.id, path);
    return file.rest;
  }

  #openFile(path: string): OpenFile {
    if (this.#latest?.[0] !== path) this.#latest = [path, this.#findOrOpen(path)];
    return this.#latest[1];
  }

  #findOrOpen(path: string): OpenFile {
    let file = this.#open.get(path);
    if (file === undefined) {
      const known = this.#files!.find(path);
      const goesOn = this.#ends.has(path);
      file = { id: known?.id ?? this.#files!.newId(), goesOn, rest: known?.rest ?? undefined, end: undefined };
      this.#open.set(path, file);
      this.#beginFile(file);
    }
    return file;
  }

  #beginFile({ id, goesOn, rest }: OpenFile): void {
    // What is known of the file goes with `beginFile`: it must have been written.
    if (!this.#files!.isNew) this.#problems.flush();
    if (goesOn) {
      this.#problems.goOn(id);
      this.#relations.goOn(id);
    } else this.#rows.beginFile(id);
    if (rest !== undefined) this.#rows.beginFile(rest);
  }

  #writePerson(person: StagedPerson): void {
    const id = this.#savePerson(person);
    if (!this.#met.has(id)) this.#named?.people.add(id);
    this.#met.add(id);
    this.#people.set(person.sourceId, id);
  }

  #writeConversation(conversation: StagedConversation): void {
    const id = this.#saveConversation(conversation);
    if (!this.#conversations.has(conversation.sourceId)) this.#named?.conversations.add(id);
    this.#conversations.set(conversation.sourceId, id);
  }

  #assertBelongs({ source, workspace }: Pick<StagedRow, 'source' | 'workspace'>): void {
    if (workspace !== null && workspace !== this.#workspace) this.#claim(workspace);
    if (source !== null && this.#originSource === undefined) this.#noteSource(source);
  }

  #writeRow(row: StagedRow, file: number, path: string): void {
    this.#assertBelongs(row);
    this.rowCount++;
    this.#rows.save(row, {
      file,
      path,
      conversation: row.conversation === null ? null : this.#conversations.get(row.conversation)!,
      sender: row.sender === null ? null : this.#people.get(row.sender),
      reactions: row.reactions ? this.#reactionsJson(row.reactions) : null,
    });
  }

  #reactionsJson(reactions: NonNullable<StagedRow['reactions']>): string {
    return JSON.stringify(
      reactions.map(({ reaction, people }) => [reaction, people.map((person) => this.#people.get(person))]),
    );
  }

  #writeRelation({ type, from, to }: RelationRecord, file: number): void {
    this.#relations.add(file, type, this.#people.get(from), this.#people.get(to));
  }

  #noteSource(source: string): void {
    this.#originSource = source;
    writeMeta(this.#db, 'originSource', source);
  }

  /** A store belongs to one workspace, fixed by the first message of its first plan. */
  #claim(workspace: string): void {
    if (this.#workspace !== undefined) {
      throw new StoreError(
        `Cannot plan into "${this.#storePath}": it belongs to workspace "${this.#workspace}", this export to "${workspace}"`,
        { path: this.#storePath, hint: 'Pass --store with another file for this export' },
      );
    }
    this.#workspace = workspace;
    writeMeta(this.#db, 'workspace', workspace);
  }
}
