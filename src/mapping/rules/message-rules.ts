import type { MessageRecord } from '../../model/records.ts';
import { ageStartMs } from './age.ts';
import type { Rejected, Skipped } from '../message/finish-message.ts';
import type { MessageContext, PersonTraits } from '../message/message-context.ts';

/** What the mapping decides of a message before anything is made of it; nothing for one that goes on. */
export function verdictByRule(record: MessageRecord, context: MessageContext): Skipped | Rejected | undefined {
  const rule = skipRule(record, context);
  return rule === undefined ? rejected(record, context) : { verdict: 'skipped', reason: rule };
}

/** The named rule by which a message is left out. */
function skipRule(record: MessageRecord, context: MessageContext): string | undefined {
  const { messages, people } = context.rules;
  if (record.isDeleted && messages.deleted === 'skip') return 'deleted at the source';
  if (record.call && messages.calls === 'skip') return 'call';
  if (record.systemEvent !== undefined && !record.call && messages.system === 'skip')
    return `system message: ${record.systemEvent}`;
  if (record.edited && messages.edited === 'skip') return 'edited message';
  if (people.bots === 'skip' && authorOf(record, context)?.isBot) return 'bot message';
  if (people.guests === 'skip' && authorOf(record, context)?.isGuest) return 'guest message';
  if (people.deleted === 'skip' && authorOf(record, context)?.isDeleted) return 'message of a deleted person';
  if (people.unknownAuthors === 'skip' && !authorOf(record, context)?.isKnown) return 'unknown author';
  if (messages.olderThan !== 'none' && messages.old === 'skip' && isOld(record, context)) return 'older than olderThan';
  return undefined;
}

function rejected(record: MessageRecord, context: MessageContext): Rejected | undefined {
  const { messages, people } = context.rules;
  const author = record.author ?? 'not given';
  if (people.unknownAuthors === 'reject' && !authorOf(record, context)?.isKnown)
    return { verdict: 'rejected', reason: 'unknown-author', detail: `author ${author}` };
  if (people.lookup !== 'none' && people.lookup.missing === 'reject' && !authorOf(record, context)?.isListed)
    return { verdict: 'rejected', reason: 'not-in-lookup', detail: `author ${author} is not in ${people.lookup.file}` };
  if (messages.olderThan !== 'none' && messages.old === 'reject' && isOld(record, context))
    return {
      verdict: 'rejected',
      reason: 'older-than',
      detail: `sent before messages.olderThan: ${messages.olderThan}`,
    };
  return undefined;
}

const authorOf = ({ author }: MessageRecord, { traitsOf }: MessageContext): PersonTraits | undefined =>
  author === undefined ? undefined : traitsOf(author);

const isOld = ({ sentAtMs }: MessageRecord, { rules, nowMs }: MessageContext): boolean =>
  sentAtMs < ageStartMs(rules.messages.olderThan, nowMs)!;
