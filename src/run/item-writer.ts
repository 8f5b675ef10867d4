import type { Database } from 'better-sqlite3';
import { AttachmentHosts } from '../checkpoint/attachment-hosts.ts';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { ProblemWriter } from '../checkpoint/problem-writer.ts';
import { SourceFiles } from '../checkpoint/source-files.ts';
import { conversationWriter } from '../checkpoint/stage-conversations.ts';
import { personWriter } from '../checkpoint/stage-people.ts';
import type { RowWriter } from '../checkpoint/stage-rows.ts';
import type { StagedItem, StagedRow } from '../checkpoint/staged-item.ts';
import { StoreError } from '../lib/errors.ts';
import type { FinishedFile } from './reading/read-entries.ts';

/** Writes staged items into the store: ids of the source become ids of the store. The caller begins and commits. */
export class ItemWriter {
  /** Rows written so far. */
  rowCount = 0;
  /** Items since the last commit. */
  itemCount = 0;
  readonly #db: Database;
  readonly #storePath: string;
  readonly #rows: RowWriter;
  readonly #people = new Map<string, number>();
  readonly #conversations = new Map<string, number>();
  readonly #savePerson: ReturnType<typeof personWriter>;
  readonly #saveConversation: ReturnType<typeof conversationWriter>;
  readonly #problems: ProblemWriter;
  readonly #hosts: AttachmentHosts;
  #files: SourceFiles | undefined;
  /** Files of this input that have begun and not ended: one, as long as files come one after the other. */
  readonly #open = new Map<string, number>();
  #originSource: string | undefined;
  #workspace: string | undefined;

  constructor(db: Database, storePath: string, rows: RowWriter) {
    this.#db = db;
    this.#storePath = storePath;
    this.#rows = rows;
    this.#savePerson = personWriter(db);
    this.#saveConversation = conversationWriter(db, (sourceId) => this.#people.get(sourceId)!);
    this.#problems = new ProblemWriter(db);
    this.#hosts = new AttachmentHosts(db);
    this.#originSource = readMeta(db, 'originSource');
    this.#workspace = readMeta(db, 'workspace');
  }

  /** Somebody whom an earlier plan has written. */
  know(sourceId: string, id: number): void {
    this.#people.set(sourceId, id);
  }

  /** @param key Absolute path of the folder or archive. */
  beginInput(key: string): void {
    this.#files?.flush();
    this.#files = new SourceFiles(this.#db, key);
    this.#open.clear();
  }

  /** Of the input that is being read. */
  get files(): SourceFiles {
    return this.#files!;
  }

  /** @throws StoreError if the row belongs to another workspace than the store. */
  write(item: StagedItem): void {
    this.itemCount++;
    if (item.type === 'row') this.#writeRow(item.row, this.#fileOf(item.path), item.path);
    else if (item.type === 'person') this.#people.set(item.person.sourceId, this.#savePerson(item.person));
    else if (item.type === 'problem') this.#problems.add(this.#fileOf(item.path), item.code, item.reason, item.place);
    else if (item.type === 'host') this.#hosts.add(this.#fileOf(item.path), item.host);
    else this.#conversations.set(item.conversation.sourceId, this.#saveConversation(item.conversation));
  }

  /** Everything of the file was written before this. */
  closeFile({ path, role, reason, stat }: FinishedFile): void {
    this.itemCount++;
    const file = this.#fileOf(path);
    if (role === 'unknown') {
      this.#problems.add(
        file,
        'unknown-file',
        reason ?? 'This file is not part of the format; nothing of it was read',
        path,
      );
    }
    this.#problems.close(file, path);
    this.#hosts.close(file, !this.#files!.isNew);
    this.#files!.close(file, path, role, reason, stat);
    this.#open.delete(path);
  }

  /** Should we be killed, the next plan reads a file again that is committed in part. */
  beforeCommit(): void {
    this.itemCount = 0;
    this.#rows.flush();
    for (const [path, file] of this.#open) this.#files!.saveUnfinished(file, path);
    this.#files?.flush();
  }

  #fileOf(path: string): number {
    let file = this.#open.get(path);
    if (file === undefined) {
      file = this.#files!.idOf(path);
      this.#open.set(path, file);
      this.#rows.beginFile(file);
    }
    return file;
  }

  #writeRow(row: StagedRow, file: number, path: string): void {
    if (row.workspace !== null && row.workspace !== this.#workspace) this.#claim(row.workspace);
    if (row.source !== null && this.#originSource === undefined) this.#noteSource(row.source);
    this.rowCount++;
    this.#rows.save(row, {
      file,
      path,
      conversation: row.conversation === null ? null : this.#conversations.get(row.conversation)!,
      sender: row.sender === null ? null : this.#people.get(row.sender)!,
    });
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
