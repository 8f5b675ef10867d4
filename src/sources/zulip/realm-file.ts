import type { ExportInput } from '../../io/input/export-input.ts';
import type { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { addProblemRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { asCount, asId, asObject, asString } from '../kit/narrow.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { Directory } from './directory.ts';
import type { ZulipAttachment, ZulipRecipient } from './format.ts';
import { tableName } from './message-file.ts';
import type { Reactions } from './reactions.ts';

/** Facts from shared files. */
export interface SharedFacts {
  readonly directory: Directory;
  readonly reactions: Reactions;
  readonly uploads: PackedMap;
  readonly counts: CountedProblems;
}

/** `realm.json` and `attachment.json`: tables by their names, in any order. */
export const readShared = (input: ExportInput, path: string, facts: SharedFacts): AsyncGenerator<readonly Entry[]> =>
  readJsonEntries(input, path, { layout: 'list', pattern: ['*'] }, new SharedFile(path, facts));

class SharedFile implements JsonFile {
  readonly #path: string;
  readonly #facts: SharedFacts;
  readonly #notes = new RowNotes();
  readonly #recipients: string[] = [];
  #hasStreams = false;

  constructor(path: string, facts: SharedFacts) {
    this.#path = path;
    this.#facts = facts;
  }

  add({ value, parentKey = '', location }: GoodRow, into: Entry[]): undefined {
    if (this.#addRow(parentKey, value, location, into) !== false) return;
    const reason = `A row of ${tableName(parentKey)} lacks a required value`;
    this.#notes.add('zulip-bad-row', reason, location, into);
  }

  /** @returns false for a row that cannot be used. */
  #addRow(table: string, value: unknown, location: Location, into: Entry[]): unknown {
    const { directory, reactions, counts } = this.#facts;
    switch (table) {
      case 'zerver_realm':
        return directory.addRealm(value);
      case 'zerver_userprofile':
      case 'zerver_userprofile_mirrordummy':
        return directory.addPerson(value, false, location, into);
      case 'zerver_userprofile_crossrealm':
        return directory.addPerson(value, true, location, into);
      case 'zerver_stream':
        this.#hasStreams = true;
        return directory.addStream(value, location, into);
      case 'zerver_recipient':
        this.#hasStreams = true;
        return this.#addRecipient(value);
      case 'zerver_huddle':
      case 'zerver_directmessagegroup':
        return directory.addGroup(value);
      case 'zerver_subscription':
        return directory.addSubscription(value);
      case 'zerver_usergroupmembership':
        return directory.addToUserGroup(value, 'user_group', 'user_profile');
      case 'zerver_groupgroupmembership':
        return directory.addToUserGroup(value, 'supergroup', 'subgroup');
      case 'zerver_reaction':
        return reactions.add(value);
      case 'zerver_attachment':
        return this.#addUpload(value);
      default:
        return counts.add('zulip-not-migrated', `rows of ${tableName(table)}`);
    }
  }

  #addRecipient(value: unknown): boolean {
    const id = asId(asObject<ZulipRecipient>(value)?.id);
    if (!this.#facts.directory.addRecipient(value) || id === undefined) return false;
    this.#recipients.push(id);
    return true;
  }

  #addUpload(value: unknown): boolean {
    const row = asObject<ZulipAttachment>(value) ?? {};
    const path = asString(row.path_id);
    if (path === undefined) return false;
    const facts = [asCount(row.size) ?? '', asString(row.content_type) ?? '', asString(row.file_name) ?? ''];
    this.#facts.uploads.set(path, facts.map((fact) => String(fact).replaceAll('\t', ' ')).join('\t'));
    return true;
  }

  readonly addFault = addProblemRow;

  #conversations(): Iterable<Entry> {
    return this.#hasStreams ? this.#facts.directory.conversations(this.#path, this.#recipients) : [];
  }

  end(): readonly Entry[] {
    return [...this.#conversations(), ...this.#facts.counts.ended(this.#path), ...this.#notes.ended(this.#path)];
  }
}
