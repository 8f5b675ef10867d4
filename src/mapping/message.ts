import { hasMembers } from '../lib/maps/objects.ts';
import { formatCount } from '../lib/text/count.ts';
import { type MessageRecord, messageSchema, type Reaction } from '../model/records.ts';
import { isUsableUrl } from '../service/profiles.ts';
import { blockingChecks } from './checks/blocking.ts';
import {
  checkedRecord,
  payloadToDraft,
  type MappingModule,
  type MessageResult,
  messageResultSchema,
  draftToPayload,
  runStep,
} from './module.ts';
import { type Identity, identify } from './ids.ts';
import { ageStartMs, type PersonTraits, type Rules } from './rules.ts';
import { dataWithin, type Draft, draftMessage, type MessageContext } from './message/draft-message.ts';
import type { Facts } from '../model/facts.ts';
import { shortened } from './message/too-long.ts';

/** Result of a record, with the muids of it and of its thread's root. */
export type MappedMessage = Names & Finished;

type Names = Pick<Identity, 'muid' | 'rootMuid'>;

type Finished = Planned | Skipped | Invalid;

interface Skipped {
  readonly verdict: 'skipped';
  /** The rule by which the message is left out, as reports name it. */
  readonly reason: string;
}

interface Invalid {
  readonly verdict: 'invalid';
  readonly reason: string;
  readonly detail: string;
}

interface Planned {
  readonly verdict: 'planned';
  /** JSON: everything of the request's item that does not depend on the destination. */
  readonly payload: string;
  /** Payloads of part 2, 3 … of a text that was split. */
  readonly more?: readonly string[] | undefined;
  /** Changes by the mapping, for the report. */
  readonly done?: Facts | undefined;
}

/**
 * Maps a message by the rules of the mapping file, and by the module if there is one.
 *
 * @param names Names of the record, if they are already known.
 */
export function mapMessage(
  given: MessageRecord,
  context: MessageContext,
  module?: MappingModule,
  names: Names = identify(given),
): MappedMessage {
  // Before any module: none shows customers a note because it builds payloads by itself.
  const internal = internalRule(given, context);
  if (internal !== undefined) return named({ verdict: 'skipped', reason: internal }, names);
  const record = withRewrittenUrls(given, context.rules);
  const finished = module?.mapMessage
    ? mapMessageByModule(record, names, module.mapMessage, context)
    : (verdictByRule(record, context) ?? finishMessage(draftMessage(record, names, context), record.sentAtMs, context));
  return named(finished, names);
}

/** Copied by hand: `{ ...names, ...finished }` takes longer than everything else here. */
function named(finished: Finished, { muid, rootMuid }: Names): MappedMessage {
  switch (finished.verdict) {
    case 'planned':
      return {
        muid,
        rootMuid,
        verdict: 'planned',
        payload: finished.payload,
        more: finished.more,
        done: finished.done,
      };
    case 'skipped':
      return { muid, rootMuid, verdict: 'skipped', reason: finished.reason };
    case 'invalid':
      return { muid, rootMuid, verdict: 'invalid', reason: finished.reason, detail: finished.detail };
  }
}

/** The module's step in the place of ours; the destination's limits and checks come behind it. */
function mapMessageByModule(
  record: MessageRecord,
  names: Names,
  step: NonNullable<MappingModule['mapMessage']>,
  context: MessageContext,
): Finished {
  let done: Facts | undefined;
  const next = (given: MessageRecord): MessageResult => {
    const changed = checkedRecord(
      given,
      messageSchema,
      ({ origin }) => JSON.stringify(origin),
      JSON.stringify(record.origin),
    );
    const rule = verdictByRule(changed, context);
    if (rule?.verdict === 'skipped') return { skip: rule.reason };
    if (rule?.verdict === 'invalid') return { reject: rule.detail, code: rule.reason };
    const draft = draftMessage(changed, names, context);
    done = draft.done;
    return draftToPayload(draft);
  };
  const call = () => step(record, { rules: context.rules, uidOf: context.uidOf, next });
  const { result, fault } = runStep('mapMessage', call, messageResultSchema);
  if (fault !== undefined) return { verdict: 'invalid', reason: 'module-failed', detail: fault };
  if ('skip' in result) return { verdict: 'skipped', reason: result.skip };
  if ('reject' in result)
    return { verdict: 'invalid', reason: result.code ?? 'rejected-by-module', detail: result.reject };
  const drafted = payloadToDraft(result, names.muid);
  if (typeof drafted === 'string') return { verdict: 'invalid', reason: 'module-failed', detail: drafted };
  return finishMessage({ ...drafted, done, unread: record.unread }, record.sentAtMs, context);
}

/** Returns the mapping's verdict on a message before it is mapped; undefined if the message continues. */
function verdictByRule(record: MessageRecord, context: MessageContext): Skipped | Invalid | undefined {
  const rule = skipRule(record, context);
  return rule === undefined ? invalidByRule(record, context) : { verdict: 'skipped', reason: rule };
}

const internalReasons: Readonly<Record<NonNullable<MessageRecord['internal']>, string>> = {
  note: 'internal note',
  'side-conversation': 'internal side conversation',
  automation: 'internal step of an automation',
  restricted: 'restricted message',
};

function internalRule(
  { internal }: MessageRecord,
  { rules: { messages } }: Pick<MessageContext, 'rules'>,
): string | undefined {
  if (internal === undefined) return undefined;
  const rule = internal === 'restricted' ? messages.restricted : messages.internal;
  return rule === 'keep' ? undefined : internalReasons[internal];
}

/** The named rule by which a message is left out, but for what its text decides. */
export function skipRule(
  record: MessageRecord,
  context: Pick<MessageContext, 'rules' | 'traitsOf' | 'nowMs'>,
): string | undefined {
  const { messages, people } = context.rules;
  const internal = internalRule(record, context);
  if (internal !== undefined) return internal;
  if (record.isDeleted && messages.deleted === 'skip') return 'deleted at the source';
  if (record.call && messages.calls === 'skip') return 'call';
  if (record.systemEvent !== undefined && !record.call && messages.system === 'skip')
    return `system message: ${record.systemEvent}`;
  if (record.edited && messages.edited === 'skip') return 'edited message';
  if (people.bots === 'skip' && authorTraits(record, context)?.isBot) return 'bot message';
  if (people.guests === 'skip' && authorTraits(record, context)?.isGuest) return 'guest message';
  if (people.deleted === 'skip' && authorTraits(record, context)?.isDeleted) return 'message of a deleted person';
  if (people.unknownAuthors === 'skip' && !authorTraits(record, context)?.isKnown) return 'unknown author';
  if (messages.olderThan !== 'none' && messages.old === 'skip' && isOld(record, context)) return 'older than olderThan';
  return undefined;
}

function invalidByRule(record: MessageRecord, context: MessageContext): Invalid | undefined {
  const { messages, people } = context.rules;
  const author = record.author ?? 'not given';
  if (people.unknownAuthors === 'reject' && !authorTraits(record, context)?.isKnown)
    return { verdict: 'invalid', reason: 'unknown-author', detail: `author ${author}` };
  if (people.lookup !== 'none' && people.lookup.missing === 'reject' && !authorTraits(record, context)?.isListed)
    return { verdict: 'invalid', reason: 'not-in-lookup', detail: `author ${author} is not in ${people.lookup.file}` };
  if (messages.olderThan !== 'none' && messages.old === 'reject' && isOld(record, context))
    return {
      verdict: 'invalid',
      reason: 'older-than',
      detail: `sent before messages.olderThan: ${messages.olderThan}`,
    };
  return undefined;
}

const authorTraits = (
  { author }: MessageRecord,
  { traitsOf }: Pick<MessageContext, 'traitsOf'>,
): PersonTraits | undefined => (author === undefined ? undefined : traitsOf(author));

const isOld = ({ sentAtMs }: MessageRecord, { rules, nowMs }: Pick<MessageContext, 'rules' | 'nowMs'>): boolean =>
  sentAtMs < ageStartMs(rules.messages.olderThan, nowMs)!;

/** Runs the checks, and fits a text that is too long into the limits if the rules want that. */
function finishMessage(draft: Draft, sentAtMs: number, context: MessageContext): Finished {
  if (context.rules.messages.empty === 'skip' && isEmpty(draft)) return { verdict: 'skipped', reason: 'empty message' };
  const whole = checked(draft, sentAtMs, context);
  const isTooLarge = whole.verdict === 'invalid' && whole.reason === 'data-too-large';
  if (whole.verdict === 'invalid' && !isTooLarge) return whole;
  const { overlong, textCharsMax } = context.rules.messages;
  const isTooLong = textCharsMax !== 'none' && draft.text.length > textCharsMax;
  if (!isTooLarge && !isTooLong) return whole;
  const parts = overlong === 'reject' ? undefined : shortened(draft, context);
  if (parts) return inParts(parts, sentAtMs, context);
  if (isTooLarge) return whole;
  const detail = `${formatCount(draft.text.length)} characters, ${formatCount(Number(textCharsMax))} allowed`;
  return { verdict: 'invalid', reason: 'text-too-long', detail };
}

const isEmpty = ({ attachments, text, category, unread }: Draft) =>
  unread === undefined && attachments.length === 0 && text.trim() === '' && category === 'message';

function inParts(parts: readonly Draft[], sentAtMs: number, context: MessageContext): Finished {
  const payloads: string[] = [];
  let done: Facts | undefined;
  for (const part of parts) {
    const finished = checked(part, sentAtMs, context);
    if (finished.verdict === 'invalid') return finished;
    done ??= finished.done;
    payloads.push(finished.payload);
  }
  const [payload, ...more] = payloads;
  return { verdict: 'planned', payload: payload!, done, ...(more.length > 0 && { more }) };
}

function checked(draft: Draft, sentAtMs: number, { limits, nowMs }: MessageContext): Planned | Invalid {
  const { text, attachments, category, type, tags, done, unread } = draft;
  const { data, isTrimmed } = dataWithin(draft, limits.dataBytesMax);
  const message = {
    // A message of one's own kind may have no text at all.
    text: category === 'custom' ? text || type : text,
    attachmentCount: attachments.length,
    unread,
    data,
    tags,
    sentAtMs,
    limits,
    nowMs,
  };
  for (const check of blockingChecks) {
    const detail = check.find(message);
    if (detail !== undefined) return { verdict: 'invalid', reason: check.code, detail };
  }
  const tagsPart = tags.length > 0 ? `,"tags":${JSON.stringify(tags)}` : '';
  const typePart = type === 'text' ? '"text"' : JSON.stringify(type);
  return {
    verdict: 'planned',
    payload: `{"category":"${category}","type":${typePart},"data":${data}${tagsPart}}`,
    done: isTrimmed ? { ...done, trimmed: 1 } : done,
  };
}

/**
 * The facts of a message; nothing for a plain one.
 *
 * @param isBot Whether a bot wrote it.
 * @param isZoneAssumed Whether its time depends on a zone that had to be assumed.
 */
export function collectFacts(record: MessageRecord, isBot: boolean, isZoneAssumed: boolean): Facts | undefined {
  const facts: { -readonly [Key in keyof Facts]: number } = {};
  if (record.attachments) {
    const usable = record.attachments.filter((file) => isUsableUrl(file.url)).length;
    if (usable > 0) facts.attachments = usable;
    if (record.attachments.length > usable) facts.filesWithoutAddress = record.attachments.length - usable;
  }
  if (record.reactions?.length) {
    facts.reactions = sumReactions(record.reactions);
    const custom = record.reactions.filter(({ emoji }) => isCustomEmoji(emoji));
    if (custom.length > 0) facts.customEmoji = sumReactions(custom);
  }
  if (record.threadRoot !== undefined) facts.replies = 1;
  if (record.isBroadcast) facts.broadcasts = 1;
  if (record.edited) facts.edited = 1;
  if (record.isDeleted) facts.deleted = 1;
  if (record.isPinned) facts.pinned = 1;
  if (record.mentions?.length) facts.mentions = record.mentions.length;
  if (record.quoteOf !== undefined) facts.quotes = 1;
  if (isBot) facts.bot = 1;
  if (record.call) facts.calls = 1;
  else if (record.systemEvent !== undefined) facts.system = 1;
  if (record.internal !== undefined) facts[record.internal === 'restricted' ? 'restricted' : 'internal'] = 1;
  if (record.custom) facts.custom = 1;
  if (isZoneAssumed) facts.zoneAssumed = 1;
  if (record.lost) Object.assign(facts, record.lost);
  return hasMembers(facts) ? facts : undefined;
}

const sumReactions = (reactions: readonly Reaction[]): number => reactions.reduce((sum, { count }) => sum + count, 0);

/** `:party-parrot:`: a name, where others are the character itself. */
const isCustomEmoji = (emoji: string): boolean => /^:[^:]+:$/.test(emoji);

/** The facts as JSON, with what the mapping did; null for a plain message that nothing was done to. */
export function factsJson(facts: Facts | undefined, done: Facts | undefined): string | null {
  if (done) return JSON.stringify({ ...facts, ...done });
  return facts ? JSON.stringify(facts) : null;
}

/** Returns the record with `messages.attachmentUrls` applied to its files; the same object if nothing changes. */
export function withRewrittenUrls(record: MessageRecord, { messages: { attachmentUrls } }: Rules): MessageRecord {
  const { attachments } = record;
  if (!attachments) return record;
  let isChanged = false;
  const rewritten = attachments.map((file) => {
    const url = file.url === undefined ? undefined : rewriteUrl(file.url, attachmentUrls);
    if (url === undefined) return file;
    isChanged = true;
    return { ...file, url };
  });
  return isChanged ? { ...record, attachments: rewritten } : record;
}

/** Rewrites by the longest beginning that fits; undefined if none does. */
function rewriteUrl(url: string, beginnings: Readonly<Record<string, string>>): string | undefined {
  let best: string | undefined;
  for (const beginning of Object.keys(beginnings)) {
    if (url.startsWith(beginning) && beginning.length > (best?.length ?? -1)) best = beginning;
  }
  return best === undefined ? undefined : beginnings[best] + url.slice(best.length);
}
