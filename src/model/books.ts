import { z } from 'zod';
import { actionKinds } from './action.ts';

const count = z.int().nonnegative();

/**
 * The sums that must hold: `read = planned + skipped + rejected`, and
 * `planned = imported + present + refused + pending + inDoubt`. `repeated` and `late` stand outside them.
 */
export const booksSchema = z.object({
  read: count,
  repeated: count,
  skipped: count,
  rejected: count,
  planned: count,
  imported: count,
  present: count,
  refused: count,
  pending: count,
  inDoubt: count,
  late: count,
});
export type Books = z.infer<typeof booksSchema>;

/** Whether both sums hold, as they must at any instant. */
export const isBalanced = ({ read, planned, skipped, rejected, ...of }: Books): boolean =>
  read === planned + skipped + rejected && planned === of.imported + of.present + of.refused + of.pending + of.inDoubt;

/** Of nothing, to be added to. */
export const noBooks = (): Books => ({
  read: 0,
  repeated: 0,
  skipped: 0,
  rejected: 0,
  planned: 0,
  imported: 0,
  present: 0,
  refused: 0,
  pending: 0,
  inDoubt: 0,
  late: 0,
});

/** What reading back found, in messages. Foreign ones were written by others: information, not an error. */
export const verifyCountsSchema = z.object({
  same: count,
  missing: count,
  extra: count,
  different: count,
  duplicated: count,
  foreign: count,
});
export type VerifyCounts = z.infer<typeof verifyCountsSchema>;

/** What reading back found of actions that were done; `notShown`: the destination's listings show nothing of the kind. */
const actionCheckSchema = z.object({ same: count, missing: count, notShown: count });
export type ActionCheck = z.infer<typeof actionCheckSchema>;

export const verifyResultSchema = verifyCountsSchema.extend({
  /** By kind, where something was done that can be read back. */
  actions: z.partialRecord(z.enum(actionKinds), actionCheckSchema).optional(),
  /** Missing messages that `--repair` sent again; the counts are those after it. */
  repaired: count.optional(),
  /** The filter, where only the messages that it finds were compared. */
  only: z.string().optional(),
  /** Where only some messages were looked at: how many of how many, in how many conversations, and the seed that chooses them again. */
  sample: z.object({ messages: count, of: count, conversations: count, seed: z.string() }).optional(),
});
export type VerifyResult = z.infer<typeof verifyResultSchema>;
