import type { LostPart } from '../../model/lost-parts.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import type { NamedFile } from '../kit/files/local-files.ts';
import type { Channel } from './channel.ts';

/** Names by ids. */
export interface Names {
  nameOf(id: string): string | undefined;
}

/** Facts collected while a row is read. */
export class Row {
  readonly files: (Attachment | LocalFile)[] = [];
  links: NonNullable<MessageRecord['links']> | undefined;
  lost: Partial<Record<LostPart, number>> | undefined;
  hasLocalFiles = false;
  /** Whom tokens in its text name, by their ids. */
  readonly mentioned = new Set<string>();
  readonly #channel: Channel;
  readonly #people: Names;
  readonly #places: Names | undefined;

  /** @param places Names of channels and roles, if something lists them. */
  constructor(channel: Channel, people: Names, places?: Names) {
    this.#channel = channel;
    this.#people = people;
    this.#places = places;
  }

  nameOf(id: string): string | undefined {
    return this.#people.nameOf(id);
  }

  placeName(id: string): string | undefined {
    return this.#places?.nameOf(id);
  }

  lose(part: LostPart, count = 1): void {
    this.lost ??= {};
    this.lost[part] = (this.lost[part] ?? 0) + count;
  }

  /**
   * Sets mentions, files, links and losses of the record. No files are next to the messages here, so a file without a
   * URL is only a name.
   */
  finish(record: NewMessage): void {
    if (this.mentioned.size > 0) record.mentions ??= [...this.mentioned];
    this.finishFiles(record);
    if (this.links) record.links = this.links;
    if (this.lost) record.lost = this.lost;
  }

  /** Sets files alone. */
  finishFiles(record: NewMessage): void {
    if (this.files.length > 0) record.attachments = this.files.map(withoutAddress);
  }

  /** An address of a message: one of its own conversation has a key. */
  noteLink(url: string, channel: string | undefined, id: string | undefined): void {
    this.lose('oldLinks');
    const { conversation, thread } = this.#channel;
    if (id === undefined || (channel !== conversation.id && channel !== thread?.id)) return;
    this.links ??= [];
    if (!this.links.some((link) => link.url === url)) this.links.push({ url, conversation: conversation.id, id });
  }
}

function withoutAddress(file: Attachment | LocalFile): Attachment {
  if (!('local' in file)) return file;
  const { id, name, path } = file.local;
  const words = name ?? (path.split(/[/\\]/).at(-1) || 'file');
  return { ...(id !== undefined && { id }), name: words, unavailable: 'no-address' };
}

/** A file next to the export, which has to be looked up. */
export interface LocalFile {
  readonly local: NamedFile;
}
