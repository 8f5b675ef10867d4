import { z } from 'zod';
import { conversationSchema, messageSchema, userSchema } from '../../model/records.ts';
import { relationSchema } from '../../model/relation.ts';

/**
 * Chatferry's own format: one JSON object on each line, distinguished by `kind`. docs/reference/sources/chatferry.md explains it,
 * and docs/reference/schemas/chatferry-line.schema.json is made from these schemas.
 *
 * {"kind":"chatferry","version":1,"source":"slack"} {"kind":"user","id":"U1","name":"Ada"}
 * {"kind":"message","origin":{"source":"slack","workspace":"T1","conversation":"C1","id":"1700000000.000100"}, …}
 */

/** The version of the format that is written and read. */
export const formatVersion = 1;

/**
 * Bytes of one line. A message of any other source comes from at most 16 MiB of its export. Its line is rarely longer:
 * the text has names in place of the ids of the export.
 */
export const lineBytesMax = 32 * 2 ** 20;

/** A record's `custom` may be as deep as the row of the export that it was taken from, and is nested a little deeper. */
export const lineOptions = { elementBytesMax: lineBytesMax, depthMax: 80 };

/** First line of a file, or of a part if files were joined. Its facts about messages hold up to the next header. */
export const headerSchema = z.looseObject({
  kind: z.literal('chatferry'),
  version: z.literal(formatVersion),
  /** `origin.source` of every message. */
  source: z.string().min(1).optional(),
  /** `origin.workspace` of every message. */
  workspace: z.string().optional(),
});
export type Header = z.infer<typeof headerSchema>;

/** Why a message could not be migrated earlier: for the person who corrects its line. Not read. */
const correctionSchema = z.strictObject({
  code: z.string().min(1),
  reason: z.string(),
  /** Original location: `general/2024-03-01.json#/41`. */
  at: z.string().optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

const messageLineSchema = messageSchema.unwrap().extend({ fault: correctionSchema.optional() });

/** A message that the program which wrote the file could not read. It counts as read and invalid. */
const invalidSchema = z.strictObject({
  kind: z.literal('invalid'),
  /** Lowercase words joined by hyphens, the same for the same fault: invalid rows are counted by it. */
  code: z.string().min(1),
  reason: z.string().min(1),
  /** Original location: `general/2024-03-01.json#/41`. Shown, never opened. */
  at: z.string().optional(),
  /** Conversation id, if it is known. */
  conversation: z.string().optional(),
  /** Content of the row, as far as it can be shown. Not read. */
  raw: z.string().optional(),
});

/** Anything else that a person should know; outside the sum. */
const problemSchema = invalidSchema.omit({ conversation: true }).extend({
  kind: z.literal('problem'),
  /** Where it stands for so many cases; 1 without it. */
  count: z.int().positive().optional(),
  /** Ids of the people or conversations that a decision is about: its code says which. */
  about: z.array(z.string()).optional(),
});

/** A row of the source that a condition of its mapping left out. It counts as read and skipped. */
const skippedSchema = z.strictObject({
  kind: z.literal('skipped'),
  /** `only: kind`: the condition, and its column. */
  rule: z.string().min(1),
  /** Original location: `app.sqlite#/messages/41`. Shown, never opened. */
  at: z.string().optional(),
});

/** Any line. */
export const lineSchema = z.discriminatedUnion('kind', [
  headerSchema,
  userSchema.unwrap(),
  conversationSchema.unwrap(),
  messageLineSchema,
  relationSchema,
  invalidSchema,
  skippedSchema,
  problemSchema,
]);
export type Line = z.infer<typeof lineSchema>;

export const lineKinds = lineSchema.options.map(({ shape }) => shape.kind.value);
