import { hasMembers } from '../../lib/maps/objects.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import { muidOf } from '../ids.ts';
import type { PersonTraits, Rules } from '../rules.ts';
import { fillTemplate } from '../rules/template.ts';
import type { Facts } from '../../model/facts.ts';
import { type MappedFiles, mapAttachments, messageType, type WireAttachment } from './map-attachments.ts';
import { markdownToPlain } from './markdown-to-plain.ts';
import { dropOrder, dropPart, type Metadata, metadataJson, buildMetadata } from './metadata.ts';
import { firstLine } from '../../lib/text/shorten.ts';

export interface MessageContext {
  readonly rules: Rules;
  readonly limits: MessageLimits;
  /** Wall time of the plan: for age and future. */
  readonly nowMs: number;
  uidOf(userId: string): string;
  traitsOf(userId: string): PersonTraits;
  /** Returns the first line of a message that is sent, if it is still known: for replies that quote it. */
  rootLine?(muid: string): string | undefined;
}

/** A message as the rules make it, before the destination's limits are looked at. */
export interface Draft {
  readonly category: 'message' | 'custom';
  readonly type: string;
  readonly text: string;
  readonly attachments: readonly WireAttachment[];
  readonly metadata: Metadata;
  /** Members of `data.metadata` in addition to ours. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Members of `data` in addition to text, attachments and metadata. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** Changes by the mapping, for the report. */
  readonly done?: Facts | undefined;
  readonly unread?: MessageRecord['unread'];
}

const noLinks: readonly never[] = [];

/** @param muids Of the message itself, and of its thread's root. */
export function draftMessage(
  record: MessageRecord,
  { muid, rootMuid }: { readonly muid: string; readonly rootMuid: string | undefined },
  context: MessageContext,
): Draft {
  const { messages } = context.rules;
  const { attached, others } = mapAttachments(record.attachments, messages.attachments === 'drop');
  const { text, done } = messageText(record, rootMuid, { attached, others }, context);
  const metadata = buildMetadata(record, {
    muid,
    rootMuid: messages.threads === 'flat' ? undefined : rootMuid,
    quoteMuid: record.quoteOf === undefined ? undefined : muidOf({ ...record.origin, id: record.quoteOf }),
    isEditMarked: messages.edited === 'mark',
    keepMentions: messages.mentions === 'metadata',
    keepReactions: messages.reactions === 'metadata',
    keepCustom: messages.custom === 'metadata',
    files: others,
    links:
      record.links === undefined
        ? noLinks
        : record.links.map(({ url, ...to }) => ({ url, key: muidOf({ ...record.origin, ...to }) })),
    uidOf: context.uidOf,
  });
  return {
    category: 'message',
    type: messageType(attached),
    text,
    attachments: attached,
    metadata,
    constants: messages.metadata,
    tags: fillTags(record, context.rules),
    done,
    unread: record.unread,
  };
}

/** Characters of a root that a reply quotes. */
const quotedMax = 120;

/** The text as the rules want it, and what was done for it. */
function messageText(
  record: MessageRecord,
  rootMuid: string | undefined,
  files: MappedFiles,
  { rules: { messages }, rootLine }: MessageContext,
): { readonly text: string; readonly done?: Facts | undefined } {
  const written = messages.markup === 'plain' ? markdownToPlain(record.text) : record.text;
  const { text, done } = files.others.length === 0 ? { text: written } : withNames(written, files, messages);
  if (messages.threads !== 'quote' || rootMuid === undefined) return { text, done };
  const line = rootLine?.(rootMuid);
  if (line === undefined) return { text, done: { ...done, rootsMissing: 1 } };
  return { text: `> ${firstLine(line, quotedMax)}\n\n${text}`, done: { ...done, rootQuotes: 1 } };
}

/** Adds a line for each file that is not attached, if the rules want it, or the message would be blank. */
function withNames(
  text: string,
  { attached, others }: MappedFiles,
  { attachments, onlyFiles }: Rules['messages'],
): { readonly text: string; readonly done?: Facts } {
  const isBlank = text.trim() === '';
  const isOnlyFiles = isBlank && attached.length === 0 && attachments !== 'drop' && onlyFiles !== 'blank';
  if (attachments !== 'placeholder' && !isOnlyFiles) return { text };
  const named = [...(isBlank ? [] : [text]), ...others.map(({ name }) => `📎 ${name}`)].join('\n');
  return isOnlyFiles ? { text: named, done: { onlyFiles: 1 } } : { text: named };
}

/** The message's own tags, then the mapping's with the message's facts filled in; one that lacks its fact is left out. */
function fillTags({ tags: own = [], custom = {} }: MessageRecord, { messages }: Rules): readonly string[] {
  const tags = own.length === 0 ? messages.tags : [...new Set([...own, ...messages.tags])];
  if (!messages.tags.some((tag) => tag.includes('{'))) return tags;
  const facts = Object.fromEntries(Object.entries(custom).map(([name, value]) => [`custom.${name}`, factText(value)]));
  return tags.map((tag) => (own.includes(tag) ? tag : fillTemplate(tag, facts))).filter((tag) => tag !== undefined);
}

const factText = (value: unknown) => (typeof value === 'object' ? undefined : String(value));

/** Put together by hand: most messages have a text and the two fixed keys, and this is the hottest line of a plan. */
export function dataJson({ text, attachments, constants, more }: Draft, metadata: Metadata): string {
  const files = attachments.length > 0 ? `,"attachments":${JSON.stringify(attachments)}` : '';
  const own = more ? members(more) : '';
  return `{"text":${JSON.stringify(text)}${files}${own},"metadata":{"chatferry":${metadataJson(metadata)}${members(constants)}}}`;
}

/** Returns the members of an object, to be appended to others: `,"a":1`, or nothing. */
const members = (object: Readonly<Record<string, unknown>>): string =>
  hasMembers(object) ? `,${JSON.stringify(object).slice(1, -1)}` : '';

/** Returns the JSON of `data`. If it is over the limit, metadata is dropped part by part in the published order. */
export function dataWithin(
  draft: Draft,
  bytesMax: number | undefined,
): { readonly data: string; readonly isTrimmed: boolean } {
  let kept = draft.metadata;
  let data = dataJson(draft, kept);
  for (const part of dropOrder) {
    if (bytesMax === undefined || data.length * 3 <= bytesMax || Buffer.byteLength(data) <= bytesMax) break;
    kept = dropPart(kept, part);
    data = dataJson(draft, kept);
  }
  return { data, isTrimmed: kept !== draft.metadata };
}

/** The metadata with every part dropped that may be. */
export const leastMetadata = (metadata: Metadata): Metadata => dropOrder.reduce(dropPart, metadata);
