import { z } from 'zod';

/** `meta.pagination` of lists that come in numbered pages. */
export const pagination = z
  .looseObject({
    total: z.number().describe('Of all pages'),
    count: z.number().describe('On this page'),
    per_page: z.number(),
    current_page: z.number(),
    total_pages: z.number(),
  })
  .meta({ id: 'Pagination', description: 'Where in a list of numbered pages an answer stands' });
