import type { Attachment, UserRecord } from '../../model/records.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { authorUnderName } from '../kit/message-names.ts';
import type { MattermostBot, MattermostMembership, MattermostPost, MattermostProps, MattermostUser } from './format.ts';

/** Names of people are their ids; the server has them in lower case. */
export const readUsername = (value: unknown): string | undefined => asString(value)?.toLowerCase();

/** Distinct names of people, sorted. */
export const readUsernames = (values: unknown): string[] =>
  [...new Set(asArray(values).map(readUsername))].filter((name) => name !== undefined).sort();

/** Epoch milliseconds; 0 stands for never. */
export const pastMs = (value: unknown): number | undefined => asCount(value) || undefined;

/**
 * @returns undefined without a username, because nothing can refer to this person.
 */
export function readUser(user: Untrusted<MattermostUser>, picture: Attachment | undefined): UserRecord | undefined {
  const id = readUsername(user.username);
  if (id === undefined) return undefined;
  const fullName = [user.first_name, user.last_name].map(asString).filter(Boolean).join(' ');
  const nickname = asString(user.nickname);
  const email = asString(user.email);
  const metadata = {
    ...(nickname && fullName && { fullName }),
    ...(asString(user.position) && { position: user.position as string }),
  };
  return {
    kind: 'user',
    id,
    name: nickname || fullName || id,
    handle: id,
    ...(email !== undefined && { email }),
    ...(picture?.url !== undefined && { avatarUrl: picture.url }),
    role: roleOf(asString(user.roles)?.split(' ') ?? []),
    ...(pastMs(user.delete_at) !== undefined && { isDeleted: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function roleOf(roles: readonly string[]): NonNullable<UserRecord['role']> {
  if (roles.includes('system_admin')) return 'admin';
  return roles.includes('system_guest') ? 'guest' : 'member';
}

/** The author of a post, with a record if no line describes them. */
export interface Author {
  readonly id: string;
  readonly record?: UserRecord;
}

/**
 * A webhook, a bridge or a bot may post under names of their own, which clients show: each name is an author with an id of both, as
 * `authorUnderName` says.
 *
 * @param isDirect In a direct channel the author stays who it is, or there would be one more in it.
 */
export function readAuthor(
  { user, props }: Untrusted<MattermostPost>,
  { nameOf, isDirect }: { nameOf(username: string): string | undefined; readonly isDirect: boolean },
): Author | undefined {
  const id = readUsername(user);
  const shownAs = asString(asObject<MattermostProps>(props)?.override_username);
  if (id === undefined || shownAs === undefined || isDirect || shownAs === id || shownAs === nameOf(id))
    return id === undefined ? undefined : { id };
  const under = authorUnderName(id, shownAs);
  return { id: under, record: { kind: 'user', id: under, name: shownAs, role: 'bot', isBot: true } };
}

export function readBot(bot: Untrusted<MattermostBot>): UserRecord | undefined {
  const id = readUsername(bot.username);
  if (id === undefined) return undefined;
  const description = asString(bot.description);
  const owner = asString(bot.owner);
  const metadata = { ...(description !== undefined && { description }), ...(owner !== undefined && { owner }) };
  return {
    kind: 'user',
    id,
    name: asString(bot.display_name) ?? id,
    handle: id,
    role: 'bot',
    isBot: true,
    ...(pastMs(bot.delete_at) !== undefined && { isDeleted: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Yields the channels of each team that a person is in: `team/channel`. */
export function* readChannels(
  user: Untrusted<MattermostUser>,
): Generator<{ id: string; membership: Untrusted<MattermostMembership> }> {
  for (const value of asArray(user.teams)) {
    const team = asObject<MattermostMembership>(value);
    for (const inner of asArray(team?.channels)) {
      const membership = asObject<MattermostMembership>(inner);
      const name = asString(membership?.name);
      if (membership && name !== undefined)
        yield { id: `${asString(team?.name) ?? ''}/${name}`.toLowerCase(), membership };
    }
  }
}

/** Lists the details of a person that are not migrated, in words: never their values. */
export function listDetails(user: Untrusted<MattermostUser>): readonly string[] {
  const channels = [...readChannels(user)];
  const teams = asArray(user.teams).map((team) => asObject<MattermostMembership>(team)?.roles);
  return [
    ...(teams.some((role) => asString(role)?.includes('_admin')) ? ['roles in teams'] : []),
    ...(channels.some(({ membership }) => membership.favorite === true) ? ['favourite channels'] : []),
    ...(user.timezone ? ['time zones'] : []),
    ...(user.custom_status ? ['status messages'] : []),
  ];
}
