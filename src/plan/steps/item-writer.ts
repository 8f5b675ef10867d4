import type { Store } from '../../store/open.ts';
import type { StagedItem, StagedRow, StagedConversation, StagedPerson } from '../../model/staged-item.ts';
import type { InputFiles } from '../../store/files.ts';
import type { AttachmentHosts, FileProblems } from '../../store/problems.ts';
import type { Relations } from '../../store/actions.ts';
import type { RowWriter } from '../../store/messages.ts';
import { StoreError } from '../../lib/errors.ts';
import type { FinishedFile } from '../reading/read-entries.ts';
import { IdCounts } from '../../lib/maps/id-counts.ts';
import { Recent } from '../../lib/maps/recent.ts';

/** Writes staged items into the store: ids of the source become ids of the store. The caller begins and commits. */
export class ItemWriter {
  /** Rows written so far. */
  rowCount = 0;
  /** Items since the last commit. */
  itemCount = 0;
  readonly #store: Store;
  readonly #rows: RowWriter;
  readonly #names: NameWriter;
  readonly #problems: FileProblems;
  readonly #hosts: AttachmentHosts;
  readonly #relations: Relations;
  readonly #owner: StoreOwner;
  #files: InputFiles | undefined;
  /** Ids of the files of this input that have begun and not ended: one, as long as files come one after the other. */
  readonly #open = new Map<string, number>();
  /** Files that were closed, by their ids. */
  readonly #closed = new IdCounts();
  /** Closed files of which something was said since the last commit. */
  readonly #late = new Map<string, number>();
  /** The file that was written to last: items of one file come one after the other. */
  #latest: { readonly path: string; readonly id: number } | undefined;

  constructor(store: Store, rows: RowWriter) {
    this.#store = store;
    this.#rows = rows;
    this.#names = new NameWriter(store);
    this.#problems = store.problems.openFileProblems();
    this.#hosts = store.problems.openAttachmentHosts();
    this.#relations = store.actions.openRelations();
    this.#owner = new StoreOwner(store);
  }

  /** A person that an earlier plan wrote, by the id in the store. */
  seePerson(id: number): void {
    this.#names.seePerson(id);
  }

  /** People and conversations that were not written, nor seen, and that nothing names, leave the store. */
  forgetUnseen(): void {
    this.#names.forgetUnseen();
  }

  /** @param key Absolute path of the folder or archive. */
  beginInput(key: string): void {
    this.#closeLate();
    this.#files?.flush();
    this.#files = this.#store.files.openInput(key);
    this.#open.clear();
    this.#latest = undefined;
  }

  get files(): InputFiles {
    return this.#files!;
  }

  /** @throws StoreError if the row belongs to another workspace than the store. */
  write(item: StagedItem): void {
    this.itemCount++;
    if (item.type === 'row') this.#writeRow(item.row, item.path);
    else if (item.type === 'person') this.#names.writePerson(item.person);
    else if (item.type === 'conversation') this.#names.writeConversation(item.conversation);
    else if (item.type === 'problem')
      this.#problems.add(this.#closedFile(item.path) ?? this.#ensureFile(item.path), item);
    else if (item.type === 'host') this.#hosts.add(this.#ensureFile(item.path), item.host);
    else {
      const { type, from, to } = item.relation;
      this.#relations.add(this.#ensureFile(item.path), type, this.#names.personId(from), this.#names.personId(to));
    }
  }

  /** Called after everything of the file was written. */
  closeFile({ path, role, reason, isChat, stat }: FinishedFile): void {
    this.itemCount++;
    const id = this.#ensureFile(path);
    if (role === 'unknown') {
      const nothingRead = 'This file is not part of the format; nothing of it was read';
      const found = reason ?? nothingRead;
      const problem = isChat
        ? { code: 'unread-chat', reason: `${found}. To leave it behind: files: { ignore: [${JSON.stringify(path)}] }` }
        : { code: 'unknown-file', reason: found };
      this.#problems.add(id, { ...problem, place: path });
    }
    this.#problems.close(id, path);
    this.#hosts.close(id, !this.files.isNew);
    this.#relations.close(id, !this.files.isNew);
    this.files.close(id, path, role, reason, stat);
    this.#closed.add(id);
    this.#open.delete(path);
    this.#latest = undefined;
  }

  /** If the program is killed later, the next plan reads files again that this commit holds only in part. */
  beforeCommit(): void {
    this.itemCount = 0;
    this.#rows.flush();
    this.#closeLate();
    this.#problems.flush();
    this.#hosts.flush();
    for (const [path, id] of this.#open) this.#files!.saveUnfinished(id, path);
    this.#files?.flush();
  }

  /** A file that was closed stays so, whatever is said of it later: opened again, it would be read again by every plan. */
  #closedFile(path: string): number | undefined {
    if (this.#latest?.path === path || this.#open.has(path)) return undefined;
    const id = this.#late.get(path) ?? this.files.idOf(path);
    if (id === undefined || !this.#closed.has(id)) return undefined;
    this.#late.set(path, id);
    return id;
  }

  #closeLate(): void {
    for (const [path, id] of this.#late) this.#problems.close(id, path);
    this.#late.clear();
  }

  #ensureFile(path: string): number {
    if (this.#latest?.path !== path) this.#latest = { path, id: this.#open.get(path) ?? this.#openFile(path) };
    return this.#latest.id;
  }

  #openFile(path: string): number {
    const id = this.files.find(path)?.id ?? this.files.newId();
    this.#open.set(path, id);
    // `beginFile` drops what an earlier plan left of the file: problems that wait must be written before.
    if (!this.files.isNew) this.#problems.flush();
    this.#rows.beginFile(id);
    return id;
  }

  #writeRow(row: StagedRow, path: string): void {
    this.#owner.assertOwns(row);
    this.rowCount++;
    this.#rows.save(row, {
      file: this.#ensureFile(path),
      path,
      conversation: row.conversation === null ? null : this.#names.conversationId(row.conversation),
      sender: row.sender === null ? null : this.#names.personId(row.sender),
      reactions: row.reactions ? this.#reactionsJson(row.reactions) : null,
    });
  }

  #reactionsJson(reactions: NonNullable<StagedRow['reactions']>): string {
    return JSON.stringify(
      reactions.map(({ reaction, people }) => [reaction, people.map((person) => this.#names.personId(person))]),
    );
  }
}

/** The source and workspace of a store, fixed by the first message of its first plan. */
class StoreOwner {
  readonly #store: Store;
  #source: string | undefined;
  #workspace: string | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#source = store.facts.read('originSource');
    this.#workspace = store.facts.read('workspace');
  }

  /** @throws StoreError if the row belongs to another workspace. */
  assertOwns({ source, workspace }: Pick<StagedRow, 'source' | 'workspace'>): void {
    if (workspace !== null && workspace !== this.#workspace) this.#claim(workspace);
    if (source === null || this.#source !== undefined) return;
    this.#source = source;
    this.#store.facts.write('originSource', source);
  }

  #claim(workspace: string): void {
    const { path } = this.#store;
    if (this.#workspace !== undefined) {
      throw new StoreError(
        `Cannot plan into "${path}": it belongs to workspace "${this.#workspace}", this export to "${workspace}"`,
        { path, hint: 'Pass --store with another file for this export' },
      );
    }
    this.#workspace = workspace;
    this.#store.facts.write('workspace', workspace);
  }
}

/** Writes people and conversations, and gives their ids in the store by their ids at the source. */
export class NameWriter {
  readonly #store: Store;
  readonly #people: Recent<string, number>;
  readonly #seenPeople = new IdCounts();
  readonly #conversations: Recent<string, number>;
  readonly #seenConversations = new IdCounts();

  constructor(store: Store) {
    this.#store = store;
    this.#people = new Recent((sourceId) => store.people.id(sourceId)!);
    this.#conversations = new Recent((sourceId) => store.conversations.id(sourceId)!);
  }

  writePerson(person: StagedPerson): void {
    const id = this.#store.people.save(person);
    this.seePerson(id);
    this.#people.set(person.sourceId, id);
  }

  writeConversation(conversation: StagedConversation): void {
    const { sourceId, people } = conversation;
    const ids = people && ([this.personId(people[0]), this.personId(people[1])] as const);
    const id = this.#store.conversations.save(conversation, ids);
    this.#seenConversations.add(id);
    this.#conversations.set(sourceId, id);
  }

  /** A person that an earlier plan wrote, by the id in the store. */
  seePerson(id: number): void {
    this.#seenPeople.add(id);
  }

  /** @param sourceId Of a person that was written. */
  personId(sourceId: string): number {
    return this.#people.get(sourceId);
  }

  /** @param sourceId Of a conversation that was written. */
  conversationId(sourceId: string): number {
    return this.#conversations.get(sourceId);
  }

  /** People and conversations that nothing named since this writer was made, and nothing that stays, leave the store. */
  forgetUnseen(): void {
    this.#store.conversations.forgetUnseen(this.#seenConversations);
    this.#store.people.forgetUnseen(this.#seenPeople);
  }
}
