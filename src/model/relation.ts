import { z } from 'zod';

/** Relation between two people at the source. A friendship holds both ways, a block one way. */
export interface RelationRecord {
  kind: 'relation';
  type: 'friend' | 'block';
  /** User id. In a block: the person who blocks. */
  from: string;
  /** User id. In a block: the person who is blocked. */
  to: string;
}

export const relationSchema = z.strictObject({
  kind: z.literal('relation'),
  type: z.enum(['friend', 'block']),
  from: z.string().min(1),
  to: z.string().min(1),
});
