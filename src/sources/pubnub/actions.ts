import { hasMembers } from '../../lib/maps/objects.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { comparable, type PubnubAction, timeOfToken, tokenOf } from './format.ts';

/** Types of actions that the user names: the Chat SDK lets an app choose them. */
export interface ActionTypes {
  readonly edits: string;
  readonly deletions: string;
}

/** Counts what is not migrated, and what is not known. */
type Count = (code: 'pubnub-not-migrated' | 'pubnub-other-actions', what: string, by: number) => void;

interface Edit {
  readonly text: string;
  readonly token: string;
  readonly by: string | undefined;
}

/**
 * Adds reactions, edit and deletion to a message. The newest edit is its text.
 *
 * @returns actions of other types, which are the app's own.
 */
export function addActions(
  record: NewMessage,
  actions: unknown,
  types: ActionTypes,
  count: Count,
): Record<string, unknown> {
  const others: Record<string, unknown> = {};
  let latest = '';
  let edit: Edit | undefined;
  for (const [type, values] of Object.entries(asObject(actions) ?? {})) {
    const given = givenIn(values);
    for (const { token } of given) if (comparable(token) > comparable(latest)) latest = token;
    if (type === types.edits) edit = findNewest(given, edit);
    else if (type === types.deletions) {
      if (given.length > 0) record.isDeleted = true;
    } else if (/^reactions?$/.test(type)) addReactions(record, given);
    else if (/^receipts?$/.test(type)) count('pubnub-not-migrated', 'read receipts', given.length);
    else if (type !== 'threadRootId') {
      others[type] = values;
      count('pubnub-other-actions', `actions of type ${JSON.stringify(type.slice(0, 40))}`, given.length);
    }
  }
  if (edit !== undefined) {
    const atMs = timeOfToken(edit.token);
    record.text = edit.text;
    record.edited = { ...(atMs !== undefined && { atMs }), ...(edit.by !== undefined && { by: edit.by }) };
  }
  const markedAtMs = timeOfToken(latest);
  if (markedAtMs !== undefined) record.version = { markedAtMs };
  return hasMembers(others) ? { actions: others } : {};
}

interface Given {
  readonly value: string;
  readonly token: string;
  readonly by: string | undefined;
}

/** Every action of a type: `{ "👍": [{ uuid, actionTimetoken }] }`. */
const givenIn = (values: unknown): Given[] =>
  Object.entries(asObject<Record<string, unknown>>(values) ?? {}).flatMap(([value, list]) =>
    asArray(list).map((action) => {
      const { uuid, actionTimetoken } = asObject<PubnubAction>(action) ?? ({} as Untrusted<PubnubAction>);
      return { value, token: tokenOf(actionTimetoken) ?? '', by: asString(uuid) };
    }),
  );

function findNewest(given: readonly Given[], before: Edit | undefined): Edit | undefined {
  let newest = before;
  for (const { value, token, by } of given)
    if (newest === undefined || comparable(token) > comparable(newest.token)) newest = { text: value, token, by };
  return newest;
}

function addReactions(record: NewMessage, given: readonly Given[]): void {
  const users = new Map<string, Set<string>>();
  for (const { value, by } of given) {
    if (value === '' || by === undefined) continue;
    users.set(value, (users.get(value) ?? new Set()).add(by));
  }
  const reactions = [...users].map(
    ([name, who]): Reaction => ({
      emoji: /^[\w+:-]+$/.test(name) ? shownEmoji(name) : name,
      users: [...who],
      count: who.size,
    }),
  );
  if (reactions.length > 0) record.reactions = [...(record.reactions ?? []), ...reactions];
}
