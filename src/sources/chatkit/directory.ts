import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { asId, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { type ChatkitMessage, type ChatkitPerson, type ChatkitRoom, customDataOf, timeOf } from './format.ts';

export function addPerson(person: Untrusted<ChatkitPerson>, location: Location, into: Entry[]): void {
  const id = asId(person.id);
  if (id === undefined) {
    into.push(problemEntry('user-without-id', 'A person without "id"', location));
    return;
  }
  const avatarUrl = asString(person.avatar_url);
  const createdAtMs = timeOf(person.created_at);
  const metadata = customDataOf(person);
  into.push(
    recordEntry(
      {
        kind: 'user',
        id,
        name: asString(person.name) ?? id,
        ...(avatarUrl !== undefined && { avatarUrl }),
        role: 'member',
        ...(createdAtMs !== undefined && { createdAtMs }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      },
      location,
    ),
  );
}

/** A room that is not said to be public is private. Two people may have several, so that none is a chat of two. */
export function addRoom(room: Untrusted<ChatkitRoom>, location: Location, into: Entry[]): void {
  const id = asId(room.id);
  if (id === undefined) {
    into.push(problemEntry('conversation-without-id', 'A room without "id"', location));
    return;
  }
  const creator = asId(room.created_by_id);
  const createdAtMs = timeOf(room.created_at);
  const title = asString(room.push_notification_title_override);
  const metadata = {
    ...customDataOf(room),
    ...(title !== undefined && { push_notification_title_override: title }),
  };
  into.push(
    recordEntry(
      {
        kind: 'conversation',
        id,
        type: room.private === false ? 'public' : 'private',
        name: asString(room.name) ?? id,
        ...(creator !== undefined && { creator }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        ...(createdAtMs !== undefined && { createdAtMs }),
        members: asStrings(room.member_ids ?? room.member_user_ids),
      },
      location,
    ),
  );
}

/** The time of the last message that rooms name: a room without a message of that time or a later one is not whole. */
export class LastTimes {
  readonly last = new LastMessages();
  readonly #times = new Map<string, number>();

  expect(room: Untrusted<ChatkitRoom>, location: Location): void {
    const id = asId(room.id);
    const lastMs = timeOf(room.last_message_at);
    if (id === undefined || lastMs === undefined) return;
    this.#times.set(id, lastMs);
    this.last.expect(asString(room.last_message_at), id, location, id);
  }

  /** The key of what `last` expects, if a message is that or a later one. */
  keyOf(row: Untrusted<ChatkitMessage>): string | undefined {
    const room = asId(row.room_id);
    const lastMs = room === undefined ? undefined : this.#times.get(room);
    const sentAtMs = lastMs === undefined ? undefined : timeOf(row.created_at);
    return sentAtMs !== undefined && sentAtMs >= lastMs! ? room : undefined;
  }
}
