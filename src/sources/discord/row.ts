import type { LostPart } from '../../model/lost-parts.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import type { NamedFile } from '../kit/local-files.ts';
import type { Channel } from './channel.ts';

/** What is found out of a row while it is read. */
export class Row {
  readonly files: (Attachment | LocalFile)[] = [];
  links: NonNullable<MessageRecord['links']> | undefined;
  lost: Partial<Record<LostPart, number>> | undefined;
  hasLocalFiles = false;
  /** Whom tokens in its text name, by their ids. */
  readonly mentioned = new Set<string>();
  readonly #channel: Channel;
  readonly #people: { nameOf(id: string): string | undefined };

  constructor(channel: Channel, people: { nameOf(id: string): string | undefined }) {
    this.#channel = channel;
    this.#people = people;
  }

  nameOf(id: string): string | undefined {
    return this.#people.nameOf(id);
  }

  lose(part: LostPart, count = 1): void {
    this.lost ??= {};
    this.lost[part] = (this.lost[part] ?? 0) + count;
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

/** A file beside the export, which has to be looked up. */
export interface LocalFile {
  readonly local: NamedFile;
}
