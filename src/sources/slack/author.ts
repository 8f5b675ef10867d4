import type { MessageRecord } from '../../model/records.ts';
import type { SlackMessage, SlackProfile } from './format.ts';
import { asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { avatarOf, type People, shownName, slackbotId } from './people.ts';

type Message = Untrusted<SlackMessage>;

/** Who wrote a message: an id, and for those whom no file names what the message itself says of them. */
export interface Author {
  readonly id: string;
  readonly details?: NonNullable<MessageRecord['authorDetails']>;
  /** A known bot that posted under another name: `Deploy`, `Deploy (staging)`. */
  readonly shownAs?: string;
}

/**
 * People write with their user id; it also stands for them where an app posted in their name (`bot_id` is the app then).
 * Bots that only have a `bot_id` are looked up by it; unknown ones keep it as their id, and where an old integration has
 * nothing but a name, the name makes the id (`bot:deploy`), so that all its messages have one author.
 */
export function authorOf(message: Message, people: People): Author | undefined {
  const user = asString(message.user);
  const botId = asString(message.bot_id);
  const bot = botId === undefined ? undefined : people.userOfBot(botId);
  // A renamed channel's line has this instead of an author.
  if (user === 'U00') return undefined;
  if (user !== undefined && (bot === undefined || message.subtype !== 'bot_message'))
    return userAuthor(user, message, people);
  const name = asString(message.username);
  if (bot !== undefined) return knownBot(bot, name, people);
  if (botId === undefined && name === undefined) return undefined;
  return { id: botId ?? `bot:${name}`, details: botDetails(message) };
}

function userAuthor(id: string, message: Message, people: People): Author {
  if (people.isKnown(id)) return { id };
  if (id === slackbotId) return { id, details: { name: 'Slackbot', isBot: true } };
  if (message.subtype === 'bot_message' || message.bot_profile !== undefined)
    return { id, details: botDetails(message) };
  const profile = asObject<SlackProfile>(message.user_profile);
  const name = profile && (shownName(profile) ?? asString(profile.name));
  const avatarUrl = profile && avatarOf(profile);
  if (name === undefined && avatarUrl === undefined) return { id };
  return { id, details: { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }) } };
}

function knownBot(id: string, name: string | undefined, people: People): Author {
  if (!people.isKnown(id)) return { id, details: { name: name ?? people.nameOf(id) ?? id, isBot: true } };
  return name !== undefined && name !== people.nameOf(id) ? { id, shownAs: name } : { id };
}

function botDetails(message: Message): NonNullable<Author['details']> {
  const profile = asObject<SlackMessage['bot_profile']>(message.bot_profile);
  const icons = asObject<SlackMessage['icons']>(message.icons) ?? asObject<SlackMessage['icons']>(profile?.icons);
  const name = asString(message.username) ?? asString(profile?.name);
  const avatarUrl = asString(icons?.image_72) ?? asString(icons?.image_64) ?? asString(icons?.image_48);
  return { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }), isBot: true };
}
