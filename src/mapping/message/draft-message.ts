import type { MessageRecord } from '../../model/records.ts';
import type { Facts } from './facts.ts';
import { mapAttachments, messageType, type WireAttachment } from './map-attachments.ts';
import type { MessageContext } from './message-context.ts';
import { messageText } from './message-text.ts';
import { type Metadata, metadataOf } from './metadata.ts';
import { muidOfParts } from '../muid.ts';
import type { Rules } from '../rules/rules.ts';
import { fillTemplate } from '../rules/template.ts';

/** A message as the rules make it, before the destination's limits are looked at. */
export interface Draft {
  readonly category: 'message' | 'custom';
  readonly type: string;
  readonly text: string;
  readonly attachments: readonly WireAttachment[];
  readonly metadata: Metadata;
  /** What stands in `data.metadata` beside ours. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** What stands in `data` beside text, attachments and metadata. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** What the mapping did, for the report. */
  readonly done?: Facts | undefined;
}

/** @param muids Of the message itself, and of its thread's root. */
export function draftMessage(
  record: MessageRecord,
  { muid, rootMuid }: { readonly muid: string; readonly rootMuid: string | undefined },
  context: MessageContext,
): Draft {
  const { messages } = context.rules;
  const { attached, others } = mapAttachments(record.attachments, messages.attachments === 'drop');
  const { text, done } = messageText(record, rootMuid, others, context);
  const metadata = metadataOf(record, {
    muid,
    rootMuid: messages.threads === 'flat' ? undefined : rootMuid,
    quoteMuid: siblingMuid(record, record.quoteOf),
    isEditMarked: messages.edited === 'mark',
    keepMentions: messages.mentions === 'metadata',
    keepReactions: messages.reactions === 'metadata',
    keepCustom: messages.custom === 'metadata',
    files: others,
    uidOf: context.uidOf,
  });
  return {
    category: 'message',
    type: messageType(attached),
    text,
    attachments: attached,
    metadata,
    constants: messages.metadata,
    tags: tagsOf(record, context.rules),
    done,
  };
}

/** The muid of another message of the same conversation. */
export function siblingMuid(record: MessageRecord, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const { source, workspace, conversation } = record.origin;
  return muidOfParts(source, workspace, conversation, id);
}

/** The mapping's tags with the message's own facts filled in; one that lacks its fact is left out. */
function tagsOf({ custom = {} }: MessageRecord, { messages: { tags } }: Rules): readonly string[] {
  if (!tags.some((tag) => tag.includes('{'))) return tags;
  const facts = Object.fromEntries(Object.entries(custom).map(([name, value]) => [`custom.${name}`, factText(value)]));
  return tags.map((tag) => fillTemplate(tag, facts)).filter((tag) => tag !== undefined);
}

const factText = (value: unknown) => (typeof value === 'object' ? undefined : String(value));
