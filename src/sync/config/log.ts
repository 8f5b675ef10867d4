import { z } from 'zod';

/** `sync.log` of `chatferry.yaml`: a JSON object a line, of counts and reasons. */
export const logSchema = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'], { error: 'expected debug, info, warn or error' })
      .default('info')
      .meta({ description: 'Least level that is written: debug (progress too), info (default), warn, error' }),
    file: z
      .string({ error: 'expected text' })
      .min(1, { error: 'expected a file' })
      .optional()
      .meta({ description: 'File to append to, mode 0600 (default: standard error)' }),
  })
  .meta({ description: 'Structured log' });

export type LogOptions = z.output<typeof logSchema>;
