import { z } from 'zod';
import { actionKinds } from './action.ts';

const count = z.int().nonnegative();

/** Outcomes of planned messages: `planned = imported + existing + failed + pending + unconfirmed`. */
export const deliveryTotalsSchema = z.object({
  planned: count,
  imported: count,
  existing: count,
  failed: count,
  pending: count,
  unconfirmed: count,
});
export type DeliveryTotals = z.infer<typeof deliveryTotalsSchema>;

/** The sums that must hold: `read = planned + skipped + invalid`, and that of `DeliveryTotals`. `duplicates` and `late` stand outside them. */
export const totalsSchema = z.object({
  read: count,
  duplicates: count,
  skipped: count,
  invalid: count,
  ...deliveryTotalsSchema.shape,
  late: count,
});
export type Totals = z.infer<typeof totalsSchema>;

/** Whether both sums hold, as they must at any instant. */
export const isAccountedFor = ({ read, planned, skipped, invalid, ...of }: Totals): boolean =>
  read === planned + skipped + invalid &&
  planned === of.imported + of.existing + of.failed + of.pending + of.unconfirmed;

/** Returns totals of zero, to be added to. */
export const noTotals = (): Totals => zeros(totalsSchema.shape);
export const noDeliveryTotals = (): DeliveryTotals => zeros(deliveryTotalsSchema.shape);

const zeros = <Name extends string>(shape: Readonly<Record<Name, unknown>>) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, 0])) as Record<Name, number>;

/** Results of reading back, in messages. Foreign ones were written by others: information, not an error. */
export const verifyCountsSchema = z.object({
  same: count,
  missing: count,
  extra: count,
  different: count,
  duplicated: count,
  foreign: count,
});
export type VerifyCounts = z.infer<typeof verifyCountsSchema>;

/** Results of reading back actions that were done; `notShown`: the destination's listings show nothing of the kind. */
const actionCheckSchema = z.object({ same: count, missing: count, notShown: count });
export type ActionCheck = z.infer<typeof actionCheckSchema>;

export const verifyResultSchema = verifyCountsSchema.extend({
  /** By kind, where something was done that can be read back. */
  actions: z.partialRecord(z.enum(actionKinds), actionCheckSchema).optional(),
  /** Missing messages that `--repair` sent again; the counts are those after it. */
  repaired: count.optional(),
  /** The filter, where only the messages that it finds were compared. */
  only: z.string().optional(),
  /** Present if only some messages were checked: how many of how many, in how many conversations, and the seed that chooses them again. */
  sample: z.object({ messages: count, of: count, conversations: count, seed: z.string() }).optional(),
});
export type VerifyResult = z.infer<typeof verifyResultSchema>;
