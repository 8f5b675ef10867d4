import { z } from 'zod';

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

/** What reading back found. Foreign messages were written by others: information, not an error. */
export const verifyResultSchema = z.object({
  same: count,
  missing: count,
  extra: count,
  different: count,
  duplicated: count,
  foreign: count,
});
export type VerifyResult = z.infer<typeof verifyResultSchema>;
