import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { conversationWriter } from '../checkpoint/stage-conversations.ts';
import { personWriter } from '../checkpoint/stage-people.ts';
import type { RowWriter } from '../checkpoint/stage-rows.ts';
import type { StagedItem, StagedRow } from '../checkpoint/staged-item.ts';
import { StoreError } from '../lib/errors.ts';

/** Writes staged items into the store: ids of the source become ids of the store. */
export class ItemWriter {
  readonly #db: Database;
  readonly #storePath: string;
  readonly #rows: RowWriter;
  readonly #people = new Map<string, number>();
  readonly #conversations = new Map<string, number>();
  readonly #savePerson: ReturnType<typeof personWriter>;
  readonly #saveConversation: ReturnType<typeof conversationWriter>;
  readonly #saveProblem: (file: number, code: string, reason: string, place: string) => void;
  #workspace: string | undefined;

  constructor(db: Database, storePath: string, rows: RowWriter) {
    this.#db = db;
    this.#storePath = storePath;
    this.#rows = rows;
    this.#savePerson = personWriter(db);
    this.#saveConversation = conversationWriter(db, (sourceId) => this.#people.get(sourceId)!);
    const insertProblem = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
    this.#saveProblem = (...row) => insertProblem.run(...row);
    this.#workspace = readMeta(db, 'workspace');
  }

  /** @throws StoreError if the row belongs to another workspace than the store. */
  write(item: Exclude<StagedItem, { type: 'file' }>, file: number): void {
    if (item.type === 'row') this.#writeRow(item.row, file);
    else if (item.type === 'person') this.#people.set(item.person.sourceId, this.#savePerson(item.person));
    else if (item.type === 'problem') this.#saveProblem(file, item.code, item.reason, item.place);
    else this.#conversations.set(item.conversation.sourceId, this.#saveConversation(item.conversation));
  }

  #writeRow(row: StagedRow, file: number): void {
    if (row.workspace !== null && row.workspace !== this.#workspace) this.#claim(row.workspace);
    this.#rows.save(row, {
      file,
      conversation: row.conversation === null ? null : this.#conversations.get(row.conversation)!,
      sender: row.sender === null ? null : this.#people.get(row.sender)!,
    });
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
