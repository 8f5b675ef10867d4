import { Members } from '../../model/members.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { MattermostChannel, MattermostDirectChannel, MattermostPost } from './format.ts';
import { pastMs, readUsernames } from './people.ts';

type Channel = Omit<ConversationRecord, 'members' | 'memberships'>;

/**
 * The channels of teams, and who is in them: lines of people say so, behind those of channels. Held in memory: the channels, and one
 * reference for each membership.
 */
export class Channels {
  readonly #teams = new Map<string, string>();
  readonly #channels = new Map<string, Channel>();
  readonly #members = new Members();
  /** Channels to describe, or to describe again. */
  readonly #changed = new Set<string>();
  /** Direct channels that were described; some 100 bytes each. */
  readonly #directs = new Set<string>();

  addTeam(name: string, displayName: string): void {
    this.#teams.set(name, displayName);
  }

  add(channel: Channel): void {
    this.#channels.set(channel.id, channel);
    this.#changed.add(channel.id);
  }

  /** @param roles `channel_user channel_admin` */
  addMember(id: string, username: string, roles: unknown): void {
    const isAdmin = asString(roles)?.split(' ').includes('channel_admin');
    this.#members.add(id, username, isAdmin ? { scope: 'admin' } : undefined);
    if (this.#channels.has(id)) this.#changed.add(id);
  }

  has = (id: string): boolean => this.#channels.has(id);

  nameOf = (id: string): string | undefined => this.#channels.get(id)?.name;

  /** Whether it is the first that is heard of a direct channel. */
  addDirect(id: string): boolean {
    const isNew = !this.#directs.has(id);
    if (isNew) this.#directs.add(id);
    return isNew;
  }

  /** Returns the channels that changed since the last call. */
  takeChanged(): readonly ConversationRecord[] {
    if (this.#changed.size === 0) return [];
    const records = [...this.#changed].map((id) => this.#record(id));
    this.#changed.clear();
    return records;
  }

  #record(id: string): ConversationRecord {
    const team = id.slice(0, id.indexOf('/'));
    return {
      ...this.#channels.get(id)!,
      metadata: { team: this.#teams.get(team) ?? team },
      ...this.#members.of(id),
    };
  }
}

export const channelId = ({
  team,
  channel,
}: Pick<Untrusted<MattermostPost>, 'team' | 'channel'>): string | undefined => {
  const name = asString(channel)?.toLowerCase();
  return name === undefined || asString(team) === undefined ? undefined : `${(team as string).toLowerCase()}/${name}`;
};

export function readChannel(channel: Untrusted<MattermostChannel>): Channel | undefined {
  const id = channelId({ team: channel.team, channel: channel.name });
  if (id === undefined) return undefined;
  const topic = asString(channel.header);
  const description = asString(channel.purpose);
  return {
    kind: 'conversation',
    id,
    type: channel.type === 'O' ? 'public' : 'private',
    name: asString(channel.display_name) ?? (channel.name as string),
    ...(topic !== undefined && { topic }),
    ...(description !== undefined && { description }),
    ...((pastMs(channel.deleted_at) ?? pastMs((channel as { delete_at?: unknown }).delete_at)) !== undefined && {
      isArchived: true,
    }),
  };
}

/** A direct channel is who is in it; one person alone writes to themselves. */
export function readDirect(members: readonly string[], header?: unknown): ConversationRecord | undefined {
  if (members.length === 0) return undefined;
  const topic = asString(header);
  return {
    kind: 'conversation',
    id: members.join(','),
    type: members.length > 2 ? 'group-direct' : 'direct',
    name: '',
    ...(topic !== undefined && { topic }),
    members: [...members],
  };
}

export const readMembers = ({ members, participants }: Untrusted<MattermostDirectChannel>): string[] =>
  Array.isArray(participants)
    ? readUsernames(asArray(participants).map((one) => asObject<{ username: string }>(one)?.username))
    : readUsernames(members);
