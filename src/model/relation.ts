import { z } from 'zod';

/** Relation between two people at the source. A friendship holds both ways, a block one way. */
export const relationSchema = z.strictObject({
  kind: z.literal('relation'),
  type: z.enum(['friend', 'block']),
  /** User id. In a block: the person who blocks. */
  from: z.string().min(1),
  /** User id. In a block: the person who is blocked. */
  to: z.string().min(1),
});
export type RelationRecord = z.infer<typeof relationSchema>;
