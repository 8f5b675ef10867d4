import { z } from 'zod';

export const matrixOptionsSchema = z.lazy(() =>
  z.strictObject({
    room: z
      .string()
      .optional()
      .describe(
        'Id of the room, such as !abc:example.com, of events that do not name theirs. Default none: an event without a room is invalid.',
      ),
  }),
);

export type MatrixOptions = z.output<typeof matrixOptionsSchema>;
