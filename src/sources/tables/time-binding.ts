import { z } from 'zod';
import { patternFault } from '../kit/time-pattern.ts';
import { timeFormats, zoneSchema } from '../kit/time-reading.ts';
import { unionFault } from './union-fault.ts';
import { columnSchema, valueSchema } from './value-expression.ts';

const format = z
  .string()
  .superRefine((text, context) => {
    const fault = (timeFormats as readonly string[]).includes(text) ? undefined : patternFault(text);
    if (fault !== undefined) context.addIssue(`expected one of ${timeFormats.join(', ')} or a pattern: ${fault}`);
  })
  .default('iso')
  .describe(
    'iso (2024-03-01T12:00:00Z, also with a space), unix-s, unix-ms, unix-us, unix-ns, pubnub (17 digits), excel (days since 1900), ' +
      'dotnet (/Date(…)/), or a pattern such as "dd.MM.yyyy HH:mm:ss". Default iso.',
  );

const zone = zoneSchema.describe('Time zone of these times where they do not say their own: Europe/Berlin.');

export const timeSchema = z
  .union(
    [
      columnSchema,
      z.strictObject({ from: valueSchema, format, zone }),
      z.strictObject({
        date: columnSchema.describe('Column of the day, where day and time of day stand in two columns.'),
        time: columnSchema.describe('Column of the time of day.'),
        format: format.describe('How both look, joined by one space. Default iso.'),
        zone,
      }),
    ],
    { error: unionFault('expected a column, { from, format, zone } or { date, time, format, zone }') },
  )
  .describe('A column, { from, format, zone } or { date, time, format, zone }.');

export type TimeBinding = z.output<typeof timeSchema>;
