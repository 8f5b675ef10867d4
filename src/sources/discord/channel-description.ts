import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, MessageRecord } from '../../model/records.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import type { Channel } from './channel.ts';

/** How a file describes the conversation that its messages are of: a direct one at its end, once it is known who is in it. */
export class ChannelDescription {
  readonly #path: string;
  readonly #channel: Channel;
  /** Who does something in a direct conversation: of whom else is in it an export says nothing. */
  readonly #ids = new Set<string>();

  constructor(path: string, channel: Channel) {
    this.#path = path;
    this.#channel = channel;
  }

  begin(): Entry[] {
    const { conversation, isDescribedElsewhere } = this.#channel;
    return isDescribedElsewhere || isDirect(conversation) ? [] : [recordEntry(conversation, { path: this.#path })];
  }

  note({ author, reactions, call }: MessageRecord): void {
    if (!isDirect(this.#channel.conversation) || this.#ids.size > idsMax) return;
    if (author !== undefined) this.#ids.add(author);
    for (const { users } of reactions ?? []) for (const id of users) this.#ids.add(id);
    for (const id of call?.participants ?? []) this.#ids.add(id);
  }

  /** The last description counts: a later part of a conversation, in which one person wrote, must not say less than the first. */
  end(account: string | undefined): Entry[] {
    const { conversation } = this.#channel;
    const location = { path: this.#path };
    const members = this.#members(account);
    if (!isDirect(conversation) || (members.length === 0 && isLaterPart.test(this.#path))) return [];
    const described = recordEntry({ ...conversation, members }, location);
    if (members.length > 0 || conversation.type !== 'direct') return [described];
    const reason =
      'One person wrote in this conversation of two, and nothing says who you are: set "account" in the mapping';
    return [described, problemEntry('no-members', reason, location)];
  }

  /** Returns both members of a conversation of two, or none. */
  #members(account: string | undefined): string[] {
    const ids = new Set(this.#ids);
    if (account !== undefined && ids.size > 0) ids.add(account);
    return this.#channel.conversation.type === 'direct' && ids.size !== 2 ? [] : [...ids];
  }
}

/** Ten people are in a direct conversation at most; some come and go. */
const idsMax = 100;

const isLaterPart = / \[part (?!1\])\d{1,9}\]\.[a-z]{1,5}$/;

const isDirect = ({ type }: ConversationRecord): boolean => type === 'direct' || type === 'group-direct';
