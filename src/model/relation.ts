import { z } from 'zod';

/** What two people are to each other at the source. A friendship holds both ways, a block one way. */
export const relationSchema = z.strictObject({
  kind: z.literal('relation'),
  type: z.enum(['friend', 'block']),
  /** User id. Of a block: who blocks. */
  from: z.string().min(1),
  /** User id. Of a block: who is blocked. */
  to: z.string().min(1),
});
export type RelationRecord = z.infer<typeof relationSchema>;
