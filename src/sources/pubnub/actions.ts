import { hasMembers } from '../../lib/maps/objects.ts';
import type { Reaction } from '../../model/records.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { comparable, type PubnubAction, tokenOf } from './format.ts';

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

interface Actions {
  /** The newest edit is the text. */
  readonly edit: Edit | undefined;
  readonly isDeletion: boolean;
  readonly reactions: readonly Reaction[];
  /** Token of the newest action. */
  readonly latest: string;
  /** Of other types, which are the app's own. */
  readonly others: Readonly<Record<string, unknown>> | undefined;
}

export function readActions(actions: unknown, types: ActionTypes, count: Count): Actions {
  const others: Record<string, unknown> = {};
  const reactions: Reaction[] = [];
  let isDeletion = false;
  let latest = '';
  let edit: Edit | undefined;
  for (const [type, values] of Object.entries(asObject(actions) ?? {})) {
    const given = givenIn(values);
    for (const { token } of given) if (comparable(token) > comparable(latest)) latest = token;
    if (type === types.edits) edit = findNewest(given, edit);
    else if (type === types.deletions) isDeletion ||= given.length > 0;
    else if (/^reactions?$/.test(type)) reactions.push(...readReactions(given));
    else if (/^receipts?$/.test(type)) count('pubnub-not-migrated', 'read receipts', given.length);
    else if (type !== 'threadRootId') {
      others[type] = values;
      count('pubnub-other-actions', `actions of type ${JSON.stringify(type.slice(0, 40))}`, given.length);
    }
  }
  return { edit, isDeletion, reactions, latest, others: hasMembers(others) ? others : undefined };
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

function readReactions(given: readonly Given[]): readonly Reaction[] {
  const users = new Map<string, Set<string>>();
  for (const { value, by } of given) {
    if (value === '' || by === undefined) continue;
    users.set(value, (users.get(value) ?? new Set()).add(by));
  }
  return [...users].map(
    ([name, who]): Reaction => ({
      emoji: /^[\w+:-]+$/.test(name) ? shownEmoji(name) : name,
      users: [...who],
      count: who.size,
    }),
  );
}
