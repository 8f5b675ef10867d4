import { z } from 'zod';

/** Where uids that people have already are looked up. `none` where they are not. */
export const lookupSchema = z.union([
  z.literal('none'),
  z
    .strictObject({
      file: z
        .string()
        .min(1)
        .describe('CSV with a header, or JSON with a list of objects; from the folder of the mapping.'),
      id: z.string().min(1).describe('Column that says who: what "by" names.'),
      uid: z.string().min(1).describe('Column of the uid.'),
      by: z
        .enum(['id', 'email', 'handle'])
        .default('id')
        .describe("What the column of ids holds: the export's id, the e-mail address, or the handle."),
      missing: z
        .enum(['template', 'reject'])
        .default('template')
        .describe('People who are not in the table: take the template, or reject their messages.'),
    })
    .describe('A table of uids.'),
]);

export type LookupRule = Exclude<z.output<typeof lookupSchema>, 'none'>;
