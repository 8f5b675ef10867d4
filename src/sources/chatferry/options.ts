import { z } from 'zod';
import { consecutiveIdsSchema } from '../kit/rows/consecutive-ids.ts';

/** An option of its own. Options of the converted source may be in the same mapping: what they decide is already decided. */
export const chatferryOptionsSchema = z.lazy(() => z.object({ consecutiveIds: consecutiveIdsSchema }));

export type ChatferryOptions = z.output<typeof chatferryOptionsSchema>;
