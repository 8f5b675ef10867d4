import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { UserRecord } from '../../model/records.ts';
import { Described } from '../kit/described.ts';
import { authorUnderName, idByName } from '../kit/message-names.ts';
import { asArray, asId, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { DiscordUser } from './format.ts';

/** Number of people whose last seen description is kept, by id: comparing it is faster than building a new record. */
const seenMax = 100_000;

/** Who a file speaks of. A row has all of its author, and less of those who reacted. */
export class People {
  readonly #described = new Described();
  readonly #seen = new Map<string, string>();

  /**
   * Describes a person unless this description was already yielded.
   *
   * @returns their id.
   */
  see(value: unknown, location: Location, into: Entry[]): string | undefined {
    const user = asObject<DiscordUser>(value);
    const own = asId(user?.id) ?? idByName('name', user && nameIn(user));
    if (user === undefined || own === undefined) return undefined;
    const id = isWebhook(user) ? authorUnderName(own, nameIn(user) ?? own) : own;
    const before = this.#seen.get(id);
    // People who reacted come without roles. A row that they wrote has more data.
    if (before !== undefined && user.roles === undefined) return id;
    const display = displayKey(user);
    if (display === before) return id;
    if (this.#seen.size >= seenMax) this.#seen.clear();
    this.#seen.set(id, display);
    const record = readUser(id, user);
    this.#described.describe(record, location, into);
    return id;
  }

  nameOf(id: string): string | undefined {
    return this.#described.nameOf('user', id);
  }
}

const displayKey = ({ name, nickname, avatarUrl, roles }: Untrusted<DiscordUser>): string =>
  `${asWord(nickname)}\n${asWord(name)}\n${asWord(avatarUrl)}\n${asArray(roles).length}`;

const nameIn = ({ nickname, name }: Untrusted<DiscordUser>) => asString(nickname) ?? asString(name);

/** It writes for many, each message under its own name. Other bots have a number. */
const isWebhook = ({ isBot, discriminator }: Untrusted<DiscordUser>): boolean =>
  isBot === true && discriminator === '0000';

/** As deleted accounts are called. */
const deleted = /^(?:deleted_user_[0-9a-f]+|Deleted User(?: [0-9a-f]+)?)$/;

function readUser(id: string, user: Untrusted<DiscordUser>): UserRecord {
  const login = asString(user.name);
  const number = asString(user.discriminator);
  const isNumbered = login !== undefined && number !== undefined && /[1-9]/.test(number);
  const handle = isNumbered ? `${login}#${number}` : login;
  const avatarUrl = asString(user.avatarUrl);
  const roles = asArray(user.roles).flatMap((role) => asString(asObject<{ name: string }>(role)?.name) ?? []);
  return {
    kind: 'user',
    id,
    name: nameIn(user) ?? id,
    ...(handle !== undefined && { handle }),
    ...(avatarUrl !== undefined && { avatarUrl }),
    ...(user.isBot === true && { isBot: true }),
    ...(login !== undefined && deleted.test(login) && { isDeleted: true }),
    ...(roles.length > 0 && { metadata: { roles } }),
  };
}
