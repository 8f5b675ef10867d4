import { z } from 'zod';

export const streamOptionsSchema = z.lazy(() =>
  z.strictObject({
    createdAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'When messages without "created_at" were sent, such as 2026-03-02T09:00:00Z: Stream takes the time of the import for them. Default: they are invalid.',
      ),
  }),
);

export type StreamOptions = z.output<typeof streamOptionsSchema>;
