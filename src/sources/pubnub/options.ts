import { z } from 'zod';

export const pubnubOptionsSchema = z.lazy(() =>
  z.strictObject({
    channels: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Channels of files that do not name them, by path: answers of the older History, lists of members. Default none: such messages are invalid.',
      ),
    text: z
      .string()
      .default('text')
      .describe('Key of the text in messages that are objects. Default text, as the Chat SDK has it.'),
    author: z
      .string()
      .optional()
      .describe(
        'Key of the author in messages that are objects, for rows without "uuid". Default none: such rows have no author.',
      ),
    edits: z
      .string()
      .default('edited')
      .describe('Type of the actions that are edits. Default edited, as the Chat SDK has it.'),
    deletions: z
      .string()
      .default('deleted')
      .describe('Type of the actions that are deletions. Default deleted, as the Chat SDK has it.'),
  }),
);

export type PubnubOptions = z.output<typeof pubnubOptionsSchema>;
