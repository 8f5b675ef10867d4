import { checks } from '../checks/registry.ts';
import type { MessageRecord } from '../model/records.ts';
import type { MessageLimits } from '../service/profiles.ts';
import { mapAttachments, messageType } from './map-attachments.ts';
import { dropOrder, dropPart, type Metadata, metadataJson, metadataOf } from './metadata.ts';
import { muidOf, muidOfParts } from './muid.ts';
import type { Rules } from './rules.ts';
import { fillTemplate } from './template.ts';

/** What became of a record. `payload` is JSON: everything of the request's item that does not depend on the destination. */
export type MappedMessage = { readonly muid: string; readonly rootMuid: string | undefined } & (
  | { readonly verdict: 'planned'; readonly payload: string }
  | { readonly verdict: 'skipped'; readonly reason: string }
  | { readonly verdict: 'rejected'; readonly reason: string; readonly detail: string }
);

export interface MessageContext {
  readonly rules: Rules;
  readonly limits: MessageLimits;
  /** Wall time of the plan: for age and future. */
  readonly nowMs: number;
  uidOf(userId: string): string;
  /** Whether a file of the export describes this person, and whether it is a bot. */
  isKnown(userId: string): boolean;
  isBot(userId: string): boolean;
}

export function mapMessage(record: MessageRecord, context: MessageContext): MappedMessage {
  const muid = muidOf(record.origin);
  const rootMuid = siblingMuid(record, record.threadRoot);
  const rule = skipRule(record, context);
  if (rule) return { muid, rootMuid, verdict: 'skipped', reason: rule };

  const attachments = mapAttachments(record.attachments);
  if (context.rules.messages.empty === 'skip' && attachments.length === 0 && record.text.trim() === '') {
    return { muid, rootMuid, verdict: 'skipped', reason: 'empty message' };
  }
  const { rules, limits, nowMs } = context;
  const metadata = metadataOf(record, {
    muid,
    rootMuid: rules.messages.threads === 'metadata' ? rootMuid : undefined,
    quoteMuid: siblingMuid(record, record.quoteOf),
    keepReactions: rules.messages.reactions === 'metadata',
    keepCustom: rules.messages.custom === 'metadata',
    uidOf: context.uidOf,
  });
  const data = dataWithin(record.text, attachments, metadata, limits.dataBytesMax);
  const tags = tagsOf(record, rules);
  const checked = {
    text: record.text,
    attachmentCount: attachments.length,
    data,
    tags,
    sentAtMs: record.sentAtMs,
    limits,
    nowMs,
  };
  for (const check of checks) {
    const detail = check.find(checked);
    if (detail !== undefined) return { muid, rootMuid, verdict: 'rejected', reason: check.code, detail };
  }
  if (rules.people.unknownAuthors === 'reject' && !(record.author && context.isKnown(record.author))) {
    return {
      muid,
      rootMuid,
      verdict: 'rejected',
      reason: 'unknown-author',
      detail: `author ${record.author ?? 'not given'}`,
    };
  }
  const tagsPart = tags.length > 0 ? `,"tags":${JSON.stringify(tags)}` : '';
  const payload = `{"category":"message","type":"${messageType(attachments)}","data":${data}${tagsPart}}`;
  return { muid, rootMuid, verdict: 'planned', payload };
}

/** The mapping's tags with the message's own facts filled in; one that lacks its fact is left out. */
function tagsOf({ custom = {} }: MessageRecord, { messages: { tags } }: Rules): readonly string[] {
  if (!tags.some((tag) => tag.includes('{'))) return tags;
  const facts = Object.fromEntries(Object.entries(custom).map(([name, value]) => [`custom.${name}`, factText(value)]));
  return tags.map((tag) => fillTemplate(tag, facts)).filter((tag) => tag !== undefined);
}

const factText = (value: unknown) => (typeof value === 'object' ? undefined : String(value));

/** The muid of another message of the same conversation. */
function siblingMuid(record: MessageRecord, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const { source, workspace, conversation } = record.origin;
  return muidOfParts(source, workspace, conversation, id);
}

/** The named rule by which a message is left out. */
function skipRule(record: MessageRecord, { rules, isBot }: MessageContext): string | undefined {
  if (record.isDeleted && rules.messages.deleted === 'skip') return 'deleted at the source';
  if (record.call) return rules.messages.calls === 'skip' ? 'call' : undefined;
  if (record.systemEvent !== undefined && rules.messages.system === 'skip')
    return `system message: ${record.systemEvent}`;
  if (rules.people.bots === 'skip' && record.author !== undefined && isBot(record.author)) return 'bot message';
  return undefined;
}

/** The JSON of `data`; where it is over the limit, metadata gives way part by part in the published order. */
function dataWithin(
  text: string,
  attachments: ReturnType<typeof mapAttachments>,
  metadata: Metadata,
  bytesMax: number | undefined,
): string {
  let kept = metadata;
  let data = dataOf(text, attachments, kept);
  for (const part of dropOrder) {
    if (bytesMax === undefined || data.length * 3 <= bytesMax || Buffer.byteLength(data) <= bytesMax) return data;
    kept = dropPart(kept, part);
    data = dataOf(text, attachments, kept);
  }
  return data;
}

/** Put together by hand: most messages have a text and the two fixed keys, and this is the hottest line of a plan. */
function dataOf(text: string, attachments: ReturnType<typeof mapAttachments>, metadata: Metadata): string {
  const files = attachments.length > 0 ? `,"attachments":${JSON.stringify(attachments)}` : '';
  return `{"text":${JSON.stringify(text)}${files},"metadata":{"chatferry":${metadataJson(metadata)}}}`;
}
