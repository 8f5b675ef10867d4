import type { MessageRecord } from '../model/records.ts';
import { isUsableUrl } from './map-person.ts';

/** What a message carries, counted. Summed up in reports; the losses table is made from it. */
export interface Facts {
  readonly attachments?: number;
  readonly filesWithoutAddress?: number;
  readonly reactions?: number;
  readonly replies?: number;
  readonly broadcasts?: number;
  readonly edited?: number;
  readonly deleted?: number;
  readonly pinned?: number;
  readonly mentions?: number;
  readonly quotes?: number;
  readonly bot?: number;
  readonly system?: number;
  readonly calls?: number;
}

/** The facts as JSON, or null for a plain message. `isBot` says who wrote it. */
export function factsOf(record: MessageRecord, isBot: boolean): string | null {
  const facts: { -readonly [Key in keyof Facts]: number } = {};
  if (record.attachments) {
    const usable = record.attachments.filter((file) => isUsableUrl(file.url)).length;
    if (usable > 0) facts.attachments = usable;
    if (record.attachments.length > usable) facts.filesWithoutAddress = record.attachments.length - usable;
  }
  if (record.reactions?.length) facts.reactions = record.reactions.reduce((sum, { count }) => sum + count, 0);
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
  for (const _ in facts) return JSON.stringify(facts);
  return null;
}
