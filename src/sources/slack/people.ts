import type { UserRecord } from '../../model/records.ts';
import type { SlackProfile, SlackUser } from './format.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';

/** Slack's own bot. It is in no user list; very old messages have it as bot `B01`. */
export const slackbotId = 'USLACKBOT';

type User = Untrusted<SlackUser>;
type Profile = Untrusted<SlackProfile>;

/**
 * Who is who, as far as the user lists say. Held in memory for the whole read: about 200 bytes a person,
 * so 10 MB for an organisation of 50,000.
 */
export class People {
  readonly #names = new Map<string, string>();
  readonly #userOfBot = new Map<string, string>([['B01', slackbotId]]);
  readonly #teams = new Map<string, number>();
  readonly #enterprises = new Map<string, number>();

  /** @returns false where this id is known already: organisation and workspace lists repeat each other. */
  add(user: User, record: UserRecord): boolean {
    if (this.#names.has(record.id)) return false;
    this.#names.set(record.id, record.name);
    const profile = asObject<SlackProfile>(user.profile);
    const botId = asString(profile?.bot_id);
    if (botId !== undefined && !this.#userOfBot.has(botId)) this.#userOfBot.set(botId, record.id);
    count(this.#teams, asString(user.team_id));
    count(this.#enterprises, asString(asObject<SlackUser['enterprise_user']>(user.enterprise_user)?.enterprise_id));
    return true;
  }

  isKnown(id: string): boolean {
    return this.#names.has(id);
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id) ?? (id === slackbotId ? 'Slackbot' : this.#names.get(this.#userOfBot.get(id) ?? ''));
  }

  userOfBot(botId: string): string | undefined {
    return this.#userOfBot.get(botId);
  }

  /**
   * The workspace that most people belong to: people of connected workspaces are listed too.
   * It is part of every message's identity, so it comes from the user lists alone and not from the messages, of which
   * a reader may see only some.
   *
   * @param isOrganisation An Enterprise Grid export holds many workspaces under one roof; then the roof's id counts.
   */
  workspace(isOrganisation: boolean): string | undefined {
    return (isOrganisation ? mostFrequent(this.#enterprises) : undefined) ?? mostFrequent(this.#teams);
  }
}

function count(counts: Map<string, number>, id: string | undefined): void {
  if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** Of equals the smallest id, so that the order of the list does not matter. */
function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  const [first] = [...counts].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1));
  return first?.[0];
}

/** @returns undefined where there is no id: nobody can be meant by it. */
export function toUser(user: User): UserRecord | undefined {
  const id = asString(user.id);
  if (id === undefined) return undefined;
  const profile = asObject<SlackProfile>(user.profile) ?? {};
  const handle = asString(user.name);
  const email = asString(profile.email);
  const avatarUrl = avatarOf(profile);
  return {
    kind: 'user',
    id,
    name: shownName(profile) ?? asString(user.real_name) ?? handle ?? id,
    ...(handle !== undefined && { handle }),
    ...(email !== undefined && { email }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    role: roleOf(user),
    ...(isBot(user) && { isBot: true }),
    ...(user.deleted === true && { isDeleted: true }),
  };
}

/** What Slack shows: the display name, else the full name. Many have an empty display name. */
export const shownName = (profile: Profile): string | undefined =>
  asString(profile.display_name) ??
  asString(profile.display_name_normalized) ??
  asString(profile.real_name) ??
  asString(profile.real_name_normalized);

export const avatarOf = (profile: Profile): string | undefined =>
  asString(profile.image_512) ??
  asString(profile.image_192) ??
  asString(profile.image_72) ??
  asString(profile.image_original);

const isBot = (user: User) => user.is_bot === true || user.id === slackbotId;

function roleOf(user: User): NonNullable<UserRecord['role']> {
  if (isBot(user)) return 'bot';
  if (user.is_primary_owner === true || user.is_owner === true) return 'owner';
  if (user.is_admin === true) return 'admin';
  if (user.is_ultra_restricted === true) return 'single-conversation-guest';
  return user.is_restricted === true ? 'guest' : 'member';
}
