import { hasMembers } from '../lib/maps/objects.ts';
import type { LostPart } from '../model/lost-parts.ts';
import type { MessageRecord, Reaction } from '../model/records.ts';
import { isUsableUrl } from './map-attachments.ts';

/** Counts of a message's parts. Summed up in reports; the losses table is made from it. */
export interface Facts extends Readonly<Partial<Record<LostPart, number>>> {
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
  readonly internal?: number;
  /** Number of reactions whose emoji is a picture of the platform. */
  readonly customEmoji?: number;
  /** 1 if the platform has facts that no field holds. */
  readonly custom?: number;
  /** 1 where its time depends on a zone that had to be assumed. */
  readonly zoneAssumed?: number;
  /** Changes by the mapping: texts cut, texts sent in several messages, replies that quote their root, or could not. */
  readonly truncated?: number;
  readonly split?: number;
  readonly rootQuotes?: number;
  readonly rootsMissing?: number;
  /** 1 if the text names the files, because the message has no other content and none can be attached. */
  readonly onlyFiles?: number;
  /** 1 where parts of the metadata gave way to the destination's size limit. */
  readonly trimmed?: number;
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
    facts.reactions = sumOf(record.reactions);
    const custom = record.reactions.filter(({ emoji }) => isCustomEmoji(emoji));
    if (custom.length > 0) facts.customEmoji = sumOf(custom);
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
  if (record.internal !== undefined) facts.internal = 1;
  if (record.custom) facts.custom = 1;
  if (isZoneAssumed) facts.zoneAssumed = 1;
  if (record.lost) Object.assign(facts, record.lost);
  return hasMembers(facts) ? facts : undefined;
}

const sumOf = (reactions: readonly Reaction[]): number => reactions.reduce((sum, { count }) => sum + count, 0);

/** `:party-parrot:`: a name, where others are the character itself. */
const isCustomEmoji = (emoji: string): boolean => /^:[^:]+:$/.test(emoji);

/** The facts as JSON, with what the mapping did; null for a plain message that nothing was done to. */
export function factsJson(facts: Facts | undefined, done: Facts | undefined): string | null {
  if (done) return JSON.stringify({ ...facts, ...done });
  return facts ? JSON.stringify(facts) : null;
}
