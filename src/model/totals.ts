import { z } from 'zod';
import type { Same } from '../lib/same.ts';
import { type ActionKind, actionKinds } from './action.ts';

const count = z.int().nonnegative();
const counts = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>;

/** Outcomes of planned messages: `planned = imported + existing + failed + pending + unconfirmed`. */
export interface DeliveryTotals {
  planned: number;
  imported: number;
  /** At the destination before this store sent any. */
  existing: number;
  failed: number;
  pending: number;
  /** Sent, and not known yet whether they arrived. */
  unconfirmed: number;
}

/** Sums: `read = planned + skipped + invalid`, and that of `DeliveryTotals`. `duplicates` and `late` are in neither. */
export interface Totals extends DeliveryTotals {
  read: number;
  duplicates: number;
  skipped: number;
  invalid: number;
  late: number;
}

export const deliveryTotalsSchema = z.object(
  counts('planned', 'imported', 'existing', 'failed', 'pending', 'unconfirmed'),
);
export const totalsSchema = z.object({
  ...counts('read', 'duplicates', 'skipped', 'invalid'),
  ...deliveryTotalsSchema.shape,
  late: count,
});
true satisfies Same<z.output<typeof totalsSchema>, Totals>;

/** Whether both sums hold, as they must at any instant. */
export const isAccountedFor = ({
  read,
  planned,
  skipped,
  invalid,
  ...of
}: Omit<Totals, 'duplicates' | 'late'>): boolean =>
  read === planned + skipped + invalid &&
  planned === of.imported + of.existing + of.failed + of.pending + of.unconfirmed;

export const noTotals = (): Totals => zeros(totalsSchema.shape);
export const noDeliveryTotals = (): DeliveryTotals => zeros(deliveryTotalsSchema.shape);

const zeros = <Name extends string>(shape: Readonly<Record<Name, unknown>>) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, 0])) as Record<Name, number>;

/** Results of reading back, in messages. Foreign ones were written by others: information, not an error. */
export interface VerifyCounts {
  same: number;
  missing: number;
  extra: number;
  different: number;
  duplicated: number;
  foreign: number;
}

/** Results of reading back actions that were done; `notShown`: the destination's listings show nothing of the kind. */
export interface ActionCheck {
  same: number;
  missing: number;
  notShown: number;
}

export interface VerifyResult extends VerifyCounts {
  /** By kind, where something can be read back. */
  actions?: Partial<Record<ActionKind | 'members', ActionCheck>> | undefined;
  /** Missing messages that a repair sent again; the counts are those after it. */
  repaired?: number | undefined;
  /** The filter, where only the messages that it finds were compared. */
  only?: string | undefined;
  /** If only some messages were checked: how many of how many, in how many conversations, and the seed that chooses them again. */
  sample?: { messages: number; of: number; conversations: number; seed: string } | undefined;
}

export const verifyCountsSchema = z.object(counts('same', 'missing', 'extra', 'different', 'duplicated', 'foreign'));
export const verifyResultSchema = verifyCountsSchema.extend({
  actions: z
    .partialRecord(z.enum([...actionKinds, 'members']), z.object({ same: count, missing: count, notShown: count }))
    .optional(),
  repaired: count.optional(),
  only: z.string().optional(),
  sample: z.object({ messages: count, of: count, conversations: count, seed: z.string() }).optional(),
});
true satisfies Same<z.output<typeof verifyResultSchema>, VerifyResult>;
