import { z } from 'zod';

/**
 * For sources of which only the user knows how messages are numbered: an option, and what the adapter answers.
 *
 *     const options = z.strictObject({ consecutiveIds: consecutiveIdsSchema });
 *     defineSource({ …, options, consecutiveIds: consecutiveIdsOption });
 */
export const consecutiveIdsSchema = z
  .enum(['no', 'conversation', 'export'])
  .optional()
  .describe(
    'Whether the ids of messages are whole numbers without gaps: no, inside each conversation, or over the whole export. The check id-gap then finds missing messages. Default no.',
  );

/** Returns the answer of such a source. */
export const consecutiveIdsOption = ({
  consecutiveIds = 'no',
}: {
  readonly consecutiveIds?: z.output<typeof consecutiveIdsSchema>;
}) => consecutiveIds;
