import { asString } from '../kit/narrow.ts';
import { type DatabaseRow as Row, isSet, numberOf } from '../kit/rows/database-row.ts';
import type { People } from './people.ts';

/** Something that the app wrote into a chat. */
export interface ChatEvent {
  readonly event: string;
  readonly text: string;
}

/** Values of `group_action_type` where `item_type` is 3. */
const groupActions: Readonly<Record<number, readonly [event: string, text: string]>> = {
  0: ['member-left', '{who} left the conversation'],
  1: ['group-photo', '{who} changed the photo of the group'],
  2: ['group-photo-removed', '{who} removed the photo of the group'],
  4: ['background', '{who} changed the background'],
  6: ['background-removed', '{who} removed the background'],
};

/** @returns undefined for a row that people wrote: `item_type` 0. */
export function readEvent(row: Row, author: string | undefined, people: People): ChatEvent | undefined {
  const item = numberOf(row.item_type) ?? 0;
  if (item === 0) return undefined;
  const action = numberOf(row.group_action_type) ?? 0;
  const who = people.nameOf(author);
  if (item === 1) return memberEvent(row, action, who, people);
  if (item === 2) {
    const title = asString(row.group_title);
    const text = title === undefined ? `${who} removed the name of the group` : `${who} named the group "${title}"`;
    return { event: 'group-name', text };
  }
  const known = item === 3 && Object.hasOwn(groupActions, action) ? groupActions[action] : undefined;
  if (known) return { event: known[0], text: known[1].replace('{who}', () => who) };
  if (item === 4) {
    const text = isSet(row.share_status) ? 'stopped sharing the location' : 'started sharing the location';
    return { event: 'location-sharing', text: `${who} ${text}` };
  }
  if (item === 5) return { event: 'audio-kept', text: `${who} kept an audio message` };
  if (item === 6) return { event: 'shareplay', text: `${who} started SharePlay` };
  return { event: `item-${item}-${action}`, text: `Event ${item}.${action} of Messages by ${who}` };
}

function memberEvent(row: Row, action: number, who: string, people: People): ChatEvent {
  const whom = people.nameOf(people.ofHandle(row.other_handle));
  if (action === 1) return { event: 'member-removed', text: `${who} removed ${whom}` };
  const isOwn = numberOf(row.other_handle) === numberOf(row.handle_id) && isSet(row.handle_id);
  if (isOwn) return { event: 'number-changed', text: `${who} changed the telephone number` };
  return { event: 'member-added', text: `${who} added ${whom}` };
}
