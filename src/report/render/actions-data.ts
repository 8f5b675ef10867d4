import { z } from 'zod';
import { actionKinds } from '../../model/action.ts';

const count = z.int().nonnegative();

/** One kind of what follows the messages: `planned = done + present + refused + pending + inDoubt`. */
export const actionBooksSchema = z.object({
  planned: count,
  done: count,
  /** It was so before, as the service says. */
  present: count,
  refused: count,
  pending: count,
  inDoubt: count,
  /** Done or tried once, and not in the export any more: nothing is taken back. Outside the sum. */
  withdrawn: count,
});
export type ActionBooks = z.infer<typeof actionBooksSchema>;

/** What follows the messages: friends, reactions, blocks, deactivations. */
export const actionsSchema = z.object({
  /** By kind, in the order in which they are done. */
  kinds: z.partialRecord(z.enum(actionKinds), actionBooksSchema),
  /** Refused with one code, most first. */
  refused: z.array(
    z.object({ kind: z.enum(actionKinds), code: z.string(), count, explanation: z.string(), detail: z.string() }),
  ),
  /** What is left takes a request for each; minutes are null where the destination's rate is not known. */
  forecast: z.object({ requests: count, minutes: z.number().nullable() }),
});
export type ActionsData = z.infer<typeof actionsSchema>;

/** Of all kinds together. */
export function sumOfActions(actions: ActionsData | undefined): ActionBooks {
  const sum = { planned: 0, done: 0, present: 0, refused: 0, pending: 0, inDoubt: 0, withdrawn: 0 };
  for (const books of Object.values(actions?.kinds ?? {})) {
    for (const key of Object.keys(sum) as (keyof ActionBooks)[]) sum[key] += books[key];
  }
  return sum;
}
