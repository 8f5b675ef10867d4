import { asString } from '../kit/narrow.ts';
import { contentOf, type Event, relationOf } from './format.ts';

/** Role of an event in a room's history. */
export type Role =
  /** A row of the timeline. */
  | 'message'
  | 'state'
  /** Belongs to another event. */
  | 'edit'
  | 'reaction'
  | 'redaction'
  | 'vote'
  /** Belongs to a call that another event began. */
  | 'signal'
  /** Belongs to a location that is shared for a while. */
  | 'position'
  /** Nothing that people see. */
  | 'other';

export const isPoll = (type: string): boolean => /^(?:m|org\.matrix\.msc3381)\.poll\.start$/.test(type);
export const isPollEnd = (type: string): boolean => /^(?:m|org\.matrix\.msc3381)\.poll\.end$/.test(type);
/** Whether a call rings: calls of two people, and calls stored in state. */
export const isCall = (type: string): boolean =>
  type === 'm.call.invite' || /^(?:m|org\.matrix\.msc4075)\.(?:call\.notify|rtc\.notification)$/.test(type);

export function roleOf(event: Event): Role {
  const type = asString(event.type) ?? '';
  if (type === 'm.room.redaction') return 'redaction';
  if (typeof event.state_key === 'string') return 'state';
  if (type === 'm.reaction') return 'reaction';
  const { rel_type, event_id } = relationOf(contentOf(event));
  if (rel_type === 'm.replace' && asString(event_id) !== undefined) return 'edit';
  if (type === 'm.room.message') return 'message';
  if (/^(?:m|org\.matrix\.msc3381)\.poll\.response$/.test(type)) return 'vote';
  if (/^(?:m|org\.matrix\.msc3672)\.beacon$/.test(type)) return 'position';
  if (type === 'm.sticker' || type === 'm.room.encrypted' || isPoll(type) || isPollEnd(type) || isCall(type)) {
    return 'message';
  }
  if (type.startsWith('m.call.')) return 'signal';
  return asString(contentOf(event).body) === undefined ? 'other' : 'message';
}
