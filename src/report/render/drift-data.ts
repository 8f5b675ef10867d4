import { z } from 'zod';
import { changeKinds, driftPolicies } from '../../model/change.ts';

const count = z.int().nonnegative();

/** Messages that say what changed. Their books are their own: `planned = imported + present + refused + pending + inDoubt`. */
export const followUpsSchema = z.object({
  planned: count,
  imported: count,
  present: count,
  refused: count,
  pending: count,
  inDoubt: count,
});
export type FollowUpBooks = z.infer<typeof followUpsSchema>;

/** What changed at the source after it was sent to this destination. Counts are changes: a message may change more than once. */
export const driftSchema = z.object({
  /** By kind. */
  kinds: z.partialRecord(z.enum(changeKinds), count),
  /** Of these, what the latest plan noticed. */
  noticed: z.partialRecord(z.enum(changeKinds), count),
  /** By kind and by what is done about it, most first; examples are the latest. What is ignored is only counted. */
  changes: z.array(
    z.object({
      kind: z.enum(changeKinds),
      policy: z.enum(driftPolicies),
      count,
      examples: z.array(z.object({ location: z.string(), detail: z.string() })),
    }),
  ),
});
export type DriftData = z.infer<typeof driftSchema>;

export const noFollowUps: FollowUpBooks = { planned: 0, imported: 0, present: 0, refused: 0, pending: 0, inDoubt: 0 };
