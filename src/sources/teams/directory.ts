import { type MemberLists, Members } from '../../model/members.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asArray, asId, asString, asStrings } from '../kit/narrow.ts';
import { Fields } from './format.ts';
import type { Kind } from './layout.ts';
import { teamsTime } from './message.ts';

/** Ids of messages are times, so those of two chats may be the same. */
export const messageKey = (chat: string | undefined, id: string | undefined): string => `${chat} ${id}`;

/** People, teams and conversations that files other than those of messages list. */
export class Directory {
  readonly #parent: Directory | undefined;
  /** From `lastMessagePreview`, by the keys of `messageKey`. */
  readonly lastMessages: LastMessages;
  readonly #replyFiles = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #teams = new Map<string, { readonly name: string | undefined; readonly isPublic: boolean }>();
  readonly #members = new Members();
  /** Conversations that are described whole. */
  readonly #described = new Set<string>();
  /** Those whose people are not listed. */
  readonly #chats = new Map<string, ConversationRecord>();

  /** @param parent What all files know: a file that describes something must not change what is said of another. */
  constructor(parent?: Directory) {
    this.#parent = parent;
    this.lastMessages = parent?.lastMessages ?? new LastMessages();
  }

  /** @param paths Files of the export: `chatferry fetch` writes answers that were not in their thread into files of their own. */
  noteReplyFiles(paths: readonly string[]): void {
    for (const path of paths) {
      const name = /(?:^|\/)(replies-[^/]{1,400})\.ndjson$/.exec(path)?.[1];
      if (name !== undefined) this.#replyFiles.add(name);
    }
  }

  /** Whether the answers behind the first ones of a thread are in the export. */
  hasLaterReplies(channel: string | undefined, root: string | undefined): boolean {
    if (this.#parent) return this.#parent.hasLaterReplies(channel, root);
    if (this.#replyFiles.size === 0 || channel === undefined) return false;
    const inName = encodeURIComponent(channel.toWellFormed()).replaceAll('%40', '@');
    return this.#replyFiles.has(`replies-${inName}-${root}`);
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id) ?? this.#parent?.nameOf(id);
  }

  isDescribed(conversation: string): boolean {
    return this.#described.has(conversation) || this.#parent?.isDescribed(conversation) === true;
  }

  chat(id: string): ConversationRecord | undefined {
    return this.#chats.get(id) ?? this.#parent?.chat(id);
  }

  add(kind: Exclude<Kind, 'rows' | 'nested' | 'personal'>, value: Fields, location: Location, into: Entry[]): void {
    if (kind === 'users') this.#addUser(readUser(value), location, into);
    else if (kind === 'teams') this.#addTeam(value, location, into);
    else if (kind === 'members') this.#addMember(value, location, into);
    else if (kind === 'chats') this.#addChat(value, location, into);
    else this.#addChannel(value, location, into);
  }

  #addUser(user: UserRecord | undefined, location: Location, into: Entry[]): void {
    if (user === undefined || this.nameOf(user.id) !== undefined) return;
    this.#names.set(user.id, user.name);
    into.push(recordEntry(user, location));
  }

  /** A team may hold its channels. */
  #addTeam(team: Fields, location: Location, into: Entry[]): void {
    const id = asString(team.get('groupsId')) ?? asString(team.get('id'));
    if (id === undefined) return;
    const name = asString(team.get('name')) ?? asString(team.get('displayName'));
    const isPublic = /^public$/i.test(asString(team.get('privacy')) ?? asString(team.get('visibility')) ?? '');
    this.#teams.set(id, { name, isPublic });
    for (const channel of asArray(team.get('channels'))) this.#addChannel(new Fields(channel), location, into, id);
  }

  /** The file of a team, chat or channel says it in its name; a member of Graph in its id, which is five words in base 64. */
  #addMember(member: Fields, location: Location, into: Entry[]): void {
    const id = asString(member.get('userId'));
    if (id === undefined) return;
    const where =
      membersOfFile(location.path ?? '') ??
      Buffer.from(asString(member.get('id')) ?? '', 'base64')
        .toString('utf8')
        .split('##')[3];
    this.#addUser(readMember(id, member), location, into);
    if (where === undefined) return;
    this.#members.add(where, id, readScope(member));
  }

  #addChat(chat: Fields, location: Location, into: Entry[]): void {
    const id = asString(chat.get('id'));
    if (id === undefined || this.isDescribed(id)) return;
    const last = asId(chat.in('lastMessagePreview').get('id'));
    this.lastMessages.expect(last, id, location, messageKey(id, last));
    for (const value of asArray(chat.get('members'))) {
      const member = new Fields(value);
      const who = asString(member.get('userId'));
      if (who === undefined) continue;
      this.#addUser(readMember(who, member), location, into);
      this.#members.add(id, who, readScope(member));
    }
    const type = chat.get('chatType');
    const createdAtMs = teamsTime(chat.get('createdDateTime'));
    const known = this.#membersOf(id);
    const lists = known.members.length > 0 ? known : { members: parsePair(id) ?? [] };
    const record: ConversationRecord = {
      kind: 'conversation',
      id,
      type: type === 'oneOnOne' ? 'direct' : 'group-direct',
      name: asString(chat.get('topic')) ?? '',
      ...(createdAtMs !== undefined && { createdAtMs }),
      ...(type === 'meeting' && { metadata: { chatType: 'meeting' } }),
      ...lists,
    };
    const { length } = lists.members;
    const isWhole = record.type === 'direct' ? length === 2 : length > 0;
    if (!isWhole) {
      this.#chats.set(id, record);
      return;
    }
    this.#described.add(id);
    into.push(recordEntry(record, location));
  }

  #addChannel(channel: Fields, location: Location, into: Entry[], inTeam?: string): void {
    const id = asString(channel.get('id'));
    if (id === undefined || this.isDescribed(id)) return;
    this.#described.add(id);
    const teamId = inTeam ?? /channels_([0-9a-f-]{36})\.(?:nd)?json$/i.exec(location.path ?? '')?.[1];
    const team = teamId === undefined ? undefined : this.#teamOf(teamId);
    const isStandard = channel.get('membershipType') === 'standard';
    const description = asString(channel.get('description'));
    const createdAtMs = teamsTime(channel.get('createdDateTime'));
    const record: ConversationRecord = {
      kind: 'conversation',
      id,
      type: isStandard && team?.isPublic ? 'public' : 'private',
      name: asString(channel.get('displayName')) ?? id,
      ...(description !== undefined && { description }),
      ...(team?.name !== undefined && { metadata: { team: team.name } }),
      ...(createdAtMs !== undefined && { createdAtMs }),
      ...(channel.get('isArchived') === true && { isArchived: true }),
      ...this.#membersOf(isStandard ? (teamId ?? '') : id),
    };
    into.push(recordEntry(record, location));
  }

  #teamOf(id: string): { readonly name: string | undefined; readonly isPublic: boolean } | undefined {
    const parent = this.#parent;
    return this.#teams.get(id) ?? (parent ? parent.#teamOf(id) : undefined);
  }

  #membersOf(id: string): MemberLists {
    return this.#parent && !this.#members.has(id) ? this.#parent.#membersOf(id) : this.#members.of(id);
  }
}

/** The id in the name of a file with members, as a tenant's export and `chatferry fetch` write it. */
function membersOfFile(path: string): string | undefined {
  const name = /(?:^|\/)(?:team|chat|channel)Members_([^/]{1,200})\.(?:nd)?json$/i.exec(path)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** The ids of two people, of which the id of a chat of two is made. */
export function parsePair(chat: string): string[] | undefined {
  const found = /^19:([0-9a-f-]{36})_([0-9a-f-]{36})@unq\.gbl\.spaces$/i.exec(chat);
  return found ? [...new Set(found.slice(1))] : undefined;
}

function readUser(user: Fields): UserRecord | undefined {
  const id = asString(user.get('id'));
  if (id === undefined) return undefined;
  const handle = asString(user.get('userPrincipalName'));
  const email = asString(user.get('mail'));
  const details = ['jobTitle', 'officeLocation', 'preferredLanguage', 'city', 'state'].flatMap((key) => {
    const value = asString(user.get(key));
    return value === undefined ? [] : [[key, value] as const];
  });
  const phone = asString(user.get('mobilePhone')) ?? asStrings(user.get('businessPhones'))[0];
  return {
    kind: 'user',
    id,
    name: asString(user.get('displayName')) ?? handle ?? id,
    ...(handle !== undefined && { handle }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(details.length > 0 && { metadata: Object.fromEntries(details) }),
  };
}

const readScope = (member: Fields): { readonly scope?: 'admin' } =>
  asStrings(member.get('roles')).includes('owner') ? { scope: 'admin' } : {};

function readMember(id: string, member: Fields): UserRecord {
  const handle = asString(member.get('userName'));
  const email = asString(member.get('email'));
  const isGuest = asStrings(member.get('roles')).includes('guest');
  return {
    kind: 'user',
    id,
    name: asString(member.get('displayName')) ?? asString(member.get('name')) ?? handle ?? id,
    ...(handle !== undefined && { handle }),
    ...(email !== undefined && { email }),
    ...(isGuest && { role: 'guest' as const }),
  };
}
