import { z } from 'zod';
import { conversationSchema, messageSchema, userSchema } from '../../model/records.ts';
import { relationSchema } from '../../model/relation.ts';

/**
 * Our own format: one JSON object on each line, told apart by `kind`. docs/reference/sources/chatferry.md explains it, and
 * docs/reference/schemas/chatferry-line.schema.json is made from these schemas.
 *
 *     {"kind":"chatferry","version":1,"source":"slack"}
 *     {"kind":"user","id":"U1","name":"Ada"}
 *     {"kind":"message","origin":{"source":"slack","workspace":"T1","conversation":"C1","id":"1700000000.000100"}, …}
 */

/** The version of the format that is written and read. */
export const formatVersion = 1;

/**
 * Bytes of one line. A message of any other source comes from at most 16 MiB of its export; its line is rarely longer,
 * because names stand in the text where the export has ids.
 */
export const lineBytesMax = 32 * 2 ** 20;

/** A record's `custom` may be as deep as the row of the export that it was taken from, and stands a little deeper. */
export const lineOptions = { elementBytesMax: lineBytesMax, depthMax: 80 };

/** First line of a file, or of a part where files were joined. What it says of messages holds up to the next one. */
export const headerSchema = z.looseObject({
  kind: z.literal('chatferry'),
  version: z.literal(formatVersion),
  /** What `origin.source` of every message is. */
  source: z.string().min(1).optional(),
  /** What `origin.workspace` of every message is. */
  workspace: z.string().optional(),
});
export type Header = z.infer<typeof headerSchema>;

/** Why a message could not be carried over earlier: for the person who corrects its line. Not read. */
const correctionSchema = z.strictObject({
  code: z.string().min(1),
  reason: z.string(),
  /** Where it stood: `general/2024-03-01.json#/41`. */
  at: z.string().optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

const messageLineSchema = messageSchema.extend({ reject: correctionSchema.optional() });

/** A message that the program which wrote the file could not read. It counts as read and rejected. */
const rejectSchema = z.strictObject({
  kind: z.literal('reject'),
  /** Lowercase words joined by hyphens, the same for the same fault: rejects are counted by it. */
  code: z.string().min(1),
  reason: z.string().min(1),
  /** Where it stood: `general/2024-03-01.json#/41`. Shown, never opened. */
  at: z.string().optional(),
  /** Conversation id, where it is known. */
  conversation: z.string().optional(),
  /** What stood there, as far as it can be shown. Not read. */
  raw: z.string().optional(),
});

/** Anything else that a person should know; outside the sum. */
const problemSchema = rejectSchema.omit({ conversation: true }).extend({
  kind: z.literal('problem'),
  /** Where it stands for so many cases; 1 without it. */
  count: z.int().positive().optional(),
});

/** Any line. */
export const lineSchema = z.discriminatedUnion('kind', [
  headerSchema,
  userSchema,
  conversationSchema,
  messageLineSchema,
  relationSchema,
  rejectSchema,
  problemSchema,
]);
export type Line = z.infer<typeof lineSchema>;

export const lineKinds = lineSchema.options.map(({ shape }) => shape.kind.value);
