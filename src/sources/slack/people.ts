import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { MessageRecord, UserRecord } from '../../model/records.ts';
import { authorUnderName } from '../kit/message-names.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { SlackMessage, SlackProfile, SlackUser } from './format.ts';

/** Slack's own bot. It is in no user list; very old messages have it as bot `B01`. */
export const slackbotId = 'USLACKBOT';

type User = Untrusted<SlackUser>;
type Profile = Untrusted<SlackProfile>;

/**
 * Who is who, as far as the user lists say. Held in memory for the whole read: about 40 bytes a person, so 40 MB for an
 * organisation of a million.
 */
export class People {
  readonly #names = new PackedMap();
  readonly #userOfBot = new Map<string, string>([['B01', slackbotId]]);
  readonly #teams = new Map<string, number>();
  readonly #enterprises = new Map<string, number>();

  /** @returns false where this id is known already: organisation and workspace lists repeat each other. */
  add(user: User, record: UserRecord): boolean {
    if (this.isKnown(record.id)) return false;
    this.#names.set(record.id, record.name);
    const profile = asObject<SlackProfile>(user.profile);
    const botId = asString(profile?.bot_id);
    if (botId !== undefined && !this.#userOfBot.has(botId)) this.#userOfBot.set(botId, record.id);
    count(this.#teams, asString(user.team_id));
    count(this.#enterprises, asString(asObject<SlackUser['enterprise_user']>(user.enterprise_user)?.enterprise_id));
    return true;
  }

  isKnown(id: string): boolean {
    return this.#names.get(id) !== undefined;
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

/** Returns the most frequent id. On a tie, the smallest one, so that the order of the list does not matter. */
function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  const [first] = [...counts].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1));
  return first?.[0];
}

/**
 * @returns undefined without an id, because nothing can refer to this person.
 */
export function toUser(user: User): UserRecord | undefined {
  const id = asString(user.id);
  if (id === undefined) return undefined;
  const profile = asObject<SlackProfile>(user.profile) ?? {};
  const handle = asString(user.name);
  const email = asString(profile.email);
  const phone = asString(profile.phone);
  const avatarUrl = avatarOf(profile);
  return {
    kind: 'user',
    id,
    name: shownName(profile) ?? asString(user.real_name) ?? handle ?? id,
    ...(handle !== undefined && { handle }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    role: roleOf(user),
    ...(isBot(user) && { isBot: true }),
    ...(user.deleted === true && { isDeleted: true }),
  };
}

/** Details of a person in a list of people that no field can hold, by their names in reports. */
const detailsOf: Readonly<Record<string, (user: User, profile: Profile) => unknown>> = {
  'full names': (_, profile) => asString(profile.real_name) !== shownName(profile) && asString(profile.real_name),
  titles: (_, { title }) => title,
  'Skype names': (_, { skype }) => skype,
  pronouns: (_, { pronouns }) => pronouns,
  'status messages': (_, { status_text, status_emoji }) => asString(status_text) ?? status_emoji,
  'time zones': ({ tz }) => tz,
  'dates of joining': (_, { start_date }) => start_date,
  "fields of the workspace's own": (_, { fields }) => asObject(fields) && Object.keys(fields as object).length > 0,
};

/** Counts what stays behind of a person: `titles` 12, `time zones` 40. Values are never shown. */
export function countDetails(user: User, counts: Map<string, number>): void {
  const profile = asObject<SlackProfile>(user.profile) ?? {};
  for (const [what, read] of Object.entries(detailsOf)) {
    if (read(user, profile)) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
}

/** Returns the name that Slack shows: the display name, otherwise the full name. Many people have an empty display name. */
const shownName = (profile: Profile): string | undefined =>
  asString(profile.display_name) ??
  asString(profile.display_name_normalized) ??
  asString(profile.real_name) ??
  asString(profile.real_name_normalized);

/** The name in the profile that a row has of an author of another workspace. */
export function nameInProfile(value: unknown): string | undefined {
  const profile = asObject<SlackProfile>(value);
  return profile && (shownName(profile) ?? asString(profile.name));
}

const avatarOf = (profile: Profile): string | undefined =>
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

type Message = Untrusted<SlackMessage>;

/** Who wrote a message: an id, and for those whom no file names what the message itself says of them. */
export interface Author {
  readonly id: string;
  readonly details?: NonNullable<MessageRecord['authorDetails']>;
  /** A known bot that posted under another name: `Deploy`, `Deploy (staging)`. */
  readonly shownAs?: string;
}

/**
 * Returns the author. People are identified by their user id, also if an app posted in their name (`bot_id` is the app
 * then). Bots that only have a `bot_id` are looked up by it. Unknown bots keep it as their id, followed by the name if
 * they post under another one (`B04HOOK:deploy`), as listed bots do. For an old integration with only a name, the name
 * makes the id (`bot:deploy`).
 *
 * @param isDirect In a conversation of two, a bot keeps its own id; otherwise there would be a third member.
 */
export function readAuthor(message: Message, people: People, isDirect = false): Author | undefined {
  const user = asString(message.user);
  const botId = asString(message.bot_id);
  const bot = botId === undefined ? undefined : people.userOfBot(botId);
  // A renamed channel's line has this instead of an author.
  if (user === 'U00') return undefined;
  if (user !== undefined && (bot === undefined || message.subtype !== 'bot_message'))
    return userAuthor(user, message, people);
  const name = asString(message.username);
  if (bot !== undefined) return knownBot(bot, message, people, isDirect);
  if (botId === undefined && name === undefined) return undefined;
  return undescribedBot(botId, message);
}

/**
 * Returns the author for a bot that no file describes. An integration may post under many names. Each name other than
 * the bot's own is a separate author, because readers see `Alerts` and `Deploy` as two.
 */
function undescribedBot(id: string | undefined, message: Message): Author {
  const name = asString(message.username);
  const own = asString(asObject<SlackMessage['bot_profile']>(message.bot_profile)?.name);
  const isItself = id !== undefined && (name === undefined || name === own);
  return { id: isItself ? id : authorUnderName(id ?? 'bot', String(name)), details: botDetails(message) };
}

function userAuthor(id: string, message: Message, people: People): Author {
  if (people.isKnown(id)) return { id };
  if (id === slackbotId) return { id, details: { name: 'Slackbot', isBot: true } };
  if (message.subtype === 'bot_message' || message.bot_profile !== undefined) return undescribedBot(id, message);
  const profile = asObject<SlackProfile>(message.user_profile);
  const name = nameInProfile(profile);
  const avatarUrl = profile && avatarOf(profile);
  if (name === undefined && avatarUrl === undefined) return { id };
  return { id, details: { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }) } };
}

function knownBot(id: string, message: Message, people: People, isDirect: boolean): Author {
  const name = asString(message.username);
  if (!people.isKnown(id)) return { id, details: { name: name ?? people.nameOf(id) ?? id, isBot: true } };
  if (name === undefined || name === people.nameOf(id)) return { id };
  return isDirect
    ? { id, shownAs: name }
    : { id: authorUnderName(id, name), details: botDetails(message), shownAs: name };
}

/** `<https://harbour.slack.com/services/B0HARB|github>` */
const integration = /<https?:\/\/[^\s|>]{1,300}\/services\/(B[A-Z0-9]{1,30})\|([^<>|]{1,200})>/;

/** The bot that a line of the platform names as it was added or changed: nothing else may name it. */
export function botNamedIn({ subtype, text }: Message, people: People): UserRecord | undefined {
  if (typeof subtype !== 'string' || !/^bot_(?:add|enable|disable|remove)$/.test(subtype)) return undefined;
  const [, id, name] = integration.exec(asString(text) ?? '') ?? [];
  if (id === undefined || people.userOfBot(id) !== undefined || people.isKnown(id)) return undefined;
  return { kind: 'user', id, name: name!, role: 'bot', isBot: true };
}

function botDetails(message: Message): NonNullable<Author['details']> {
  const profile = asObject<SlackMessage['bot_profile']>(message.bot_profile);
  const icons = asObject<SlackMessage['icons']>(message.icons) ?? asObject<SlackMessage['icons']>(profile?.icons);
  const name = asString(message.username) ?? asString(profile?.name);
  const avatarUrl = asString(icons?.image_72) ?? asString(icons?.image_64) ?? asString(icons?.image_48);
  return { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }), isBot: true };
}
