import { z } from 'zod';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const sendbirdOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'The zone that the export was asked for, such as Europe/Berlin, where dates in tables name none. Default UTC, as for the export itself.',
    ),
  }),
);

export type SendbirdOptions = z.output<typeof sendbirdOptionsSchema>;
