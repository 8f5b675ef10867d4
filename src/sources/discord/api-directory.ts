import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor } from '../kit/narrow.ts';
import type { BadRow, GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import type { ApiChannel, ApiMember } from './api-format.ts';
import { exportedUser } from './api-row.ts';
import { type Channel, readChannel } from './channel.ts';
import type { DiscordOptions } from './options.ts';
import { People } from './people.ts';
import type { Names } from './row.ts';

/** Lists of the API, in the order in which they are read. */
export const apiLists = ['guilds', 'roles', 'channels', 'threads', 'members'] as const;
export type ApiList = (typeof apiLists)[number];

interface ChannelFacts {
  readonly type: number;
  readonly name: string | undefined;
  readonly topic: string | undefined;
  readonly parent: string | undefined;
  readonly server: string;
  readonly location: Location;
}

/** Names that the exporter has for types of channels. */
const channelTypes: Readonly<Record<number, string>> = {
  0: 'GuildTextChat',
  2: 'GuildVoiceChat',
  4: 'GuildCategory',
  5: 'GuildNews',
  10: 'GuildNewsThread',
  11: 'GuildPublicThread',
  12: 'GuildPrivateThread',
  13: 'GuildStageVoice',
  14: 'GuildDirectory',
  15: 'GuildForum',
};

/** Text, news, forum, media: a conversation also without a message. */
const alwaysShown = new Set([0, 5, 15, 16]);
const isThread = ({ type }: ChannelFacts): boolean => type >= 10 && type <= 12;

/** Lists of the API: held in memory for the whole read, 500 bytes a channel or thread and some 40 a member with a name. */
export class ApiDirectory {
  readonly #options: DiscordOptions;
  readonly #servers = new Map<string, string>();
  readonly #roles = new Map<string, string>();
  readonly #channels = new Map<string, ChannelFacts>();
  readonly #members = new PackedMap();
  readonly #people = new People();

  constructor(options: DiscordOptions) {
    this.#options = options;
  }

  /** Names of channels and roles. */
  readonly places: Names = { nameOf: (id) => this.#channels.get(id)?.name ?? this.#roles.get(id) };

  /** The name of a person whom a list of members describes: that on this server, if it differs. */
  memberName(server: string, id: string): string | undefined {
    return this.#members.get(`${server} ${id}`) ?? this.#members.get(id);
  }

  serverOf(channel: string): string {
    return this.#channels.get(channel)?.server ?? '';
  }

  /** @param server Id, empty for the list of servers itself. */
  listFile(list: ApiList, server: string): JsonFile {
    return {
      add: (row: GoodRow, into: Entry[]): undefined => {
        this.#add(list, server, row, into);
      },
      addFault({ fault, location }: BadRow, into: Entry[]): void {
        into.push(problemEntry(fault.code, fault.reason, location));
      },
      end: () => [],
    };
  }

  #add(list: ApiList, server: string, { value, location }: GoodRow, into: Entry[]): void {
    if (list === 'members') {
      this.#addMember(value, server, location, into);
      return;
    }
    const row = asObject<ApiChannel>(value);
    const id = asId(row?.id);
    if (row === undefined || id === undefined) {
      const reason = row === undefined ? `Expected a row, found ${wordFor(value)}` : 'A row without "id"';
      into.push(problemEntry(list === 'roles' ? 'not-an-object' : 'conversation-without-id', reason, location));
      return;
    }
    const name = asString(row.name);
    if (list === 'guilds') this.#servers.set(id, name ?? id);
    else if (list === 'roles') this.#roles.set(id, name ?? id);
    else if (!this.#channels.has(id)) {
      const type = typeof row.type === 'number' ? row.type : 0;
      const [topic, parent] = [asString(row.topic), asId(row.parent_id)];
      this.#channels.set(id, { type, name, topic, parent, server, location });
    }
  }

  #addMember(value: unknown, server: string, location: Location, into: Entry[]): void {
    const member = asObject<ApiMember>(value);
    const user = exportedUser(member?.user, member?.nick);
    if (user === undefined) {
      into.push(problemEntry('user-without-id', 'A member without "id"', location));
      return;
    }
    const roles = asArray(member?.roles).flatMap((id) => {
      const name = this.#roles.get(asId(id) ?? '');
      return name === undefined ? [] : [{ name }];
    });
    const id = this.#people.see({ ...user, roles }, location, into);
    if (id === undefined) return;
    const [name, before] = [asString(user.nickname) ?? asString(user.name) ?? id, this.#members.get(id)];
    if (before === undefined) this.#members.set(id, name);
    else if (before !== name) this.#members.set(`${server} ${id}`, name);
  }

  /** The channel as the exporter has it. One that no list has is private, and has its id for a name. */
  channel(id: string): Channel {
    const facts = this.#channels.get(id);
    const parent = facts?.parent === undefined ? undefined : this.#channels.get(facts.parent);
    const type = facts === undefined ? 'GuildTextChat' : (channelTypes[facts.type] ?? String(facts.type));
    const guild = facts && { id: facts.server, name: this.#servers.get(facts.server) };
    const channel = {
      id,
      type,
      name: facts?.name,
      topic: facts?.topic,
      categoryId: facts?.parent,
      category: parent?.name,
    };
    return readChannel({ guild, channel }, this.#options.threads, [])!;
  }

  /**
   * The conversations: channels, and threads that are conversations of their own.
   *
   * @param written Ids of channels and threads that have a file of messages, with the file that should have listed them.
   */
  *conversations(written: ReadonlyMap<string, string>): Generator<Entry> {
    const described = new Set<string>();
    for (const [id, facts] of this.#channels) {
      if (isThread(facts) || (!alwaysShown.has(facts.type) && !written.has(id))) continue;
      described.add(id);
      yield recordEntry(this.channel(id).conversation, facts.location);
    }
    for (const [id, path] of written) {
      const { conversation } = this.channel(id);
      const location = this.#channels.get(id)?.location ?? { path };
      if (described.has(conversation.id)) continue;
      described.add(conversation.id);
      yield recordEntry(conversation, location);
      if (this.#channels.has(id)) continue;
      const reason = `No list has the channel or thread ${id}: it is read as a conversation of its own`;
      yield problemEntry('discord-unlisted-channel', reason, location, [conversation.id]);
    }
  }
}
