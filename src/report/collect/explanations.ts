import { formerRule } from '../../model/arrival.ts';
import { keptBackRules } from '../../model/kept-back.ts';
import type { Severity } from '../../model/severity.ts';
import { findCheck, describeRemedy, shortFault } from '../../mapping/checks.ts';
import type { MessageLimits } from '../../service/profiles.ts';

/** Meanings of mapping rules and service codes, for people: those that no check explains. */
const known: Readonly<Record<string, string>> = {
  'different-content': 'The destination has a different message under this id. Compare both; nothing was overwritten.',
  'possible-duplicate': 'The destination shows this message more than once.',
  'last-message-gone': 'The destination no longer shows the last message that was sent there, so nothing was added.',
  ERR_EMPTY_MESSAGE_TEXT: 'The service refuses blank messages.',
  ERR_MESSAGE_NO_ACCESS:
    'The person takes no part in the conversation there: people join a group with their first message, and no operation adds the others.',
  ERR_MESSAGE_ID_NOT_FOUND: 'The service does not have the message any more.',
  'refused-without-reason':
    'The destination stored others of the same requests, but never this message, and gave no reason. Blank messages, and messages older than it keeps, are known to be treated so.',
  'message-refused': 'The message itself failed, so no reaction can be added to it.',
  'no-server-id': 'The destination never returned its id of the message, so no reaction can be added to it.',
  ERR_UID_NOT_FOUND: 'The service does not know a person that the message names, or the person is deactivated.',
  ERR_GUID_NOT_FOUND: 'The service does not know the group.',
  ERR_BAD_REQUEST: 'The service found the request invalid; its words say why.',
  'deleted at the source':
    'Deleted before the export was made. To send the remaining content, set messages.deleted: keep in the mapping.',
  'gone from the export': 'Staged by an earlier plan and not sent here yet; the export does not hold it any more.',
  'internal note':
    'Private notes and internal comments, as the old system marks them. messages.internal: keep in the mapping sends them: customers can read them.',
  'internal side conversation':
    'Messages of agents to others, next to the conversation. messages.internal: keep in the mapping sends it: customers can read it.',
  'internal step of an automation':
    'Steps of bots, triggers and macros that the old system showed to agents alone. messages.internal: keep in the mapping sends them.',
  'restricted message':
    'Hidden from some people of the conversation, by a mark in the data of the app or a rule of the platform: see the check private-note.',
  call: 'Calls and huddles. Set messages.calls: keep in the mapping to send them as text.',
  'empty message': 'Neither text nor a file with an address; skipped by messages.empty in the mapping.',
  'bot message': 'Written by bots; skipped by people.bots in the mapping.',
  'conversation excluded': 'Left out by conversations.exclude in the mapping.',
  'outside --only': 'Outside the filter of --only. A later run without it, or with a wider one, takes them in.',
  'edited message': 'Edited at the source; skipped by messages.edited in the mapping.',
  'guest message': 'Written by guests; skipped by people.guests in the mapping.',
  'message of a deleted person': 'Written by people who are deactivated; skipped by people.deleted in the mapping.',
  'unknown author': 'Written by an unknown author; skipped by people.unknownAuthors in the mapping.',
  [formerRule]:
    'Written by people who are no members of their group any more; skipped by people.former in the mapping.',
  'reply without its root':
    'The export does not have the root of the thread; left out by messages.orphans in the mapping.',
  [keptBackRules.nobody]: 'Kept back by the alarm nobody until a person decides.',
  [keptBackRules['two-in-one']]: 'Kept back by the alarm two-in-one until a person decides.',
  [keptBackRules.cipher]: 'Kept back by the alarm cipher until a person decides.',
  'older version':
    'The row has the id of a row above it and an earlier time, and the mapping keeps the last one (source.messages.repeated).',
  'older than olderThan': 'Older than messages.olderThan in the mapping allows.',
};

interface Explanation {
  /** Absent if no check has this code. */
  readonly severity?: Severity;
  readonly title: string;
  /** Empty where its own words say everything. */
  readonly explanation: string;
  readonly remedy: string;
}

export function explain(code: string): Explanation {
  const check = Object.hasOwn(known, code) ? undefined : findCheck(code);
  if (check) {
    const { severity, title, explanation } = check;
    return { severity, title, explanation, remedy: describeRemedy(check) };
  }
  const [condition] = /^(?:conversations\.)?(?:only|skipWhen)(?=: )/.exec(code) ?? [];
  if (condition !== undefined)
    return {
      title: code,
      explanation: `Left out by a condition of the mapping, source.${condition.includes('.') ? '' : 'messages.'}${condition}.`,
      remedy: '',
    };
  const explanation = code.startsWith('system message')
    ? 'Written by the platform. Set messages.system: keep in the mapping to send them as text.'
    : (known[code] ?? '');
  return { title: code, explanation, remedy: '' };
}

/** A few words for a headline. */
export function inShort(code: string, limits: MessageLimits): string {
  const own = shortFault(code, limits);
  return own ?? explain(code).title.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
