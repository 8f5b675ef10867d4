import type { Database } from 'better-sqlite3';
import { conversationWriter } from '../checkpoint/stage-conversations.ts';
import { personWriter } from '../checkpoint/stage-people.ts';
import type { RowWriter, StagedRow } from '../checkpoint/stage-rows.ts';
import { formatLocation, type Location } from '../lib/location.ts';
import { StoreError } from '../lib/errors.ts';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { factsOf } from '../mapping/facts.ts';
import { mapConversation } from '../mapping/map-conversation.ts';
import { mapMessage, type MessageContext } from '../mapping/map-message.ts';
import { mapPerson } from '../mapping/map-person.ts';
import { recordDigest } from '../mapping/record-digest.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { MessageLimits } from '../service/profiles.ts';

interface StagerOptions {
  readonly db: Database;
  readonly storePath: string;
  readonly rows: RowWriter;
  readonly rules: Rules;
  readonly limits: MessageLimits;
  readonly nowMs: number;
}

interface KnownPerson {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly isPlaceholder: boolean;
}

interface KnownConversation {
  readonly id: number;
  readonly isExcluded: boolean;
}

/**
 * Turns entries into rows of the store: maps each record and writes it down.
 * Holds every person and conversation in memory, about 300 bytes each.
 */
export class Stager {
  readonly #options: StagerOptions;
  readonly #people = new Map<string, KnownPerson>();
  readonly #conversations = new Map<string, KnownConversation>();
  readonly #savePerson: ReturnType<typeof personWriter>;
  readonly #saveConversation: ReturnType<typeof conversationWriter>;
  readonly #saveProblem: (file: number | null, code: string, reason: string, place: string) => void;
  readonly #context: MessageContext;
  #workspace: string | undefined;

  constructor(options: StagerOptions) {
    this.#options = options;
    this.#savePerson = personWriter(options.db);
    this.#saveConversation = conversationWriter(options.db);
    const insertProblem = options.db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
    this.#saveProblem = (...row) => insertProblem.run(...row);
    this.#workspace = readMeta(options.db, 'workspace');
    this.#context = {
      rules: options.rules,
      limits: options.limits,
      nowMs: options.nowMs,
      uidOf: (userId) => this.#person(userId).uid,
      isKnown: (userId) => this.#person(userId).isPlaceholder === false,
      isBot: (userId) => this.#person(userId).isBot,
    };
  }

  /** Writes one entry down. `prefix` begins every location when there are several inputs. */
  stage(entry: Exclude<Entry, { type: 'file' }>, file: number): void {
    if (entry.type === 'record') {
      if (entry.record.kind === 'message') this.#stageMessage(entry.record, file, entry.location);
      else if (entry.record.kind === 'user') this.#stageUser(entry.record, false);
      else this.#stageConversation(entry.record, false);
    } else if (entry.type === 'reject') {
      this.#stageReject(entry, file);
    } else {
      this.problem(file, entry.code, entry.reason, entry.location);
    }
  }

  problem(file: number | null, code: string, reason: string, location: Location): void {
    this.#saveProblem(file, code, reason, formatLocation(location));
  }

  #stageMessage(record: MessageRecord, file: number, location: Location): void {
    this.#checkWorkspace(record.origin.workspace);
    const sender = this.#author(record);
    const conversation = this.#conversation(record.origin.conversation);
    const mapped = conversation.isExcluded
      ? { ...mapMessage(record, this.#context), verdict: 'skipped' as const, reason: 'conversation excluded', payload: null }
      : mapMessage(record, this.#context);
    const row: StagedRow = {
      muid: mapped.muid,
      conversation: conversation.id,
      sender: sender.id,
      originId: record.origin.id,
      sentAtMs: record.sentAtMs,
      sortKey: record.sortKey,
      editedAtMs: record.edited ? (record.edited.atMs ?? 0) : null,
      recordDigest: recordDigest(record),
      verdict: mapped.verdict,
      reason: mapped.verdict === 'planned' ? null : mapped.reason,
      detail: mapped.verdict === 'rejected' ? mapped.detail : null,
      payload: mapped.verdict === 'planned' ? mapped.payload : null,
      rootMuid: mapped.rootMuid ?? null,
      facts: factsOf(record, sender.isBot),
      place: placeOf(location),
    };
    this.#options.rows.save(file, row);
  }

  #stageReject(entry: Extract<Entry, { type: 'reject' }>, file: number): void {
    this.#options.rows.save(file, {
      muid: null,
      conversation: entry.conversation === undefined ? null : this.#conversation(entry.conversation).id,
      sender: null,
      originId: null,
      sentAtMs: null,
      sortKey: null,
      editedAtMs: null,
      recordDigest: null,
      verdict: 'rejected',
      reason: entry.code,
      detail: entry.reason,
      payload: null,
      rootMuid: null,
      facts: null,
      place: placeOf(entry.location),
    });
  }

  #stageUser(user: UserRecord, isPlaceholder: boolean): KnownPerson {
    const { uid, name, details } = mapPerson(user, this.#options.rules);
    const id = this.#savePerson({
      sourceId: user.id,
      uid,
      name,
      details: JSON.stringify(details),
      record: JSON.stringify(user),
      isPlaceholder: isPlaceholder || user.isPlaceholder === true,
    });
    const known = { id, uid, name, isBot: user.isBot === true, isPlaceholder: isPlaceholder || user.isPlaceholder === true };
    this.#people.set(user.id, known);
    return known;
  }

  #stageConversation(record: ConversationRecord, isPlaceholder: boolean): KnownConversation {
    const mapped = mapConversation(record, this.#options.rules, (userId) => this.#person(userId).name);
    const [a, b] = mapped.receiverType === 'user' ? [...new Set(record.members)] : [];
    const id = this.#saveConversation({
      sourceId: record.id,
      type: record.type,
      name: record.name || (mapped.details.name as string),
      receiverType: mapped.receiverType,
      guid: mapped.guid,
      people: a !== undefined && b !== undefined ? [this.#person(a).id, this.#person(b).id] : null,
      details: JSON.stringify(mapped.details),
      record: JSON.stringify(record),
      isPlaceholder,
    });
    const known = { id, isExcluded: mapped.isExcluded };
    this.#conversations.set(record.id, known);
    return known;
  }

  /** The author, with what the message says about itself where no file describes them. */
  #author(record: MessageRecord): KnownPerson {
    const id = record.author ?? 'unknown';
    const known = this.#people.get(id);
    if (known) return known;
    const details = record.authorDetails;
    return this.#stageUser(
      {
        kind: 'user',
        id,
        name: details?.name || (record.author ? id : 'Unknown author'),
        ...(details?.avatarUrl !== undefined && { avatarUrl: details.avatarUrl }),
        ...(details?.isBot !== undefined && { isBot: details.isBot }),
        isPlaceholder: true,
      },
      true,
    );
  }

  #person(id: string): KnownPerson {
    return this.#people.get(id) ?? this.#stageUser({ kind: 'user', id, name: id, isPlaceholder: true }, true);
  }

  #conversation(id: string): KnownConversation {
    return (
      this.#conversations.get(id) ??
      this.#stageConversation({ kind: 'conversation', id, type: 'private', name: '', members: [] }, true)
    );
  }

  /** A store belongs to one workspace, fixed by the first message of its first plan. */
  #checkWorkspace(workspace: string): void {
    if (this.#workspace === workspace) return;
    if (this.#workspace !== undefined) {
      throw new StoreError(
        `Cannot plan into "${this.#options.storePath}": it belongs to workspace "${this.#workspace}", this export to "${workspace}"`,
        { path: this.#options.storePath, hint: 'Pass --store with another file for this export' },
      );
    }
    this.#workspace = workspace;
    writeMeta(this.#options.db, 'workspace', workspace);
  }
}

const placeOf = (location: Location): string => location.pointer ?? (location.line === undefined ? '' : String(location.line));
