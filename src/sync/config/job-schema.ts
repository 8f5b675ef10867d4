import { z } from 'zod';
import { parseCron, parseTimeZone } from './cron.ts';
import { exportSchema } from '../../config/export-location.ts';
import { parseHours } from './hours.ts';
import { optionsSchema } from '../../config/options.ts';
import { oneOrMore, parsed, text } from '../../config/scalar.ts';
import { parseCount, parseDuration, parseRate } from '../../config/units.ts';

/** What a job may set of what `plan` and `import` know; the rest would make no sense where nobody looks on. */
const wantedOptions = [
  ...['store', 'allowNetworkFs', 'to', 'appId', 'region', 'profile', 'retentionDays', 'apiKeyFile'],
  ...['source', 'workspace', 'mapping', 'acceptMapping', 'only', 'drift', 'late', 'exportKeeps', 'actions'],
  ...['rate', 'batchItems', 'batchBytes', 'concurrency', 'grace', 'duplicates', 'details', 'maxRefused'],
  ...['notePeople', 'readBack', 'verify', 'report', 'format'],
];

const jobOptions = Object.fromEntries(
  Object.entries(optionsSchema.shape)
    .filter(([name]) => wantedOptions.includes(name))
    .map(([name, schema]) => [name, schema.optional()]),
);

export const jobOptionNames: readonly string[] = Object.keys(jobOptions);

const rateSchema = z.strictObject({
  hours: parsed(parseHours).meta({ description: "When, in the job's time zone, such as 08:00-18:00" }),
  rate: parsed(parseRate).meta({ description: 'Import requests per minute then' }),
});

/** One job under `jobs:` of `chatferry.yaml`. */
export const jobSchema = z.strictObject({
  name: text
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'expected a name of a-z, 0-9 and -, such as support-chat' })
    .meta({ description: 'Name in logs, reports and file names: a-z, 0-9 and -, unique' }),
  export: exportSchema,
  schedule: parsed(parseCron).optional().meta({
    description: 'When it runs: a cron expression of five fields, or six with seconds. Not needed with --once',
  }),
  timeZone: parsed(parseTimeZone).default('UTC').meta({
    description: 'Zone of schedule, hours and rates, such as Europe/Berlin (default UTC)',
  }),
  jitter: parsed(parseDuration).default(0).meta({
    description:
      'Every run begins up to so much later, at random: not all jobs of the world at the full hour (default 0)',
  }),
  hours: oneOrMore(parseHours).optional().meta({
    description:
      'When it may run, such as 22:00-06:00, or a list. At their end a run stops gracefully and goes on in the next',
  }),
  rates: z.array(rateSchema, { error: 'expected a list of hours and rates' }).default([]).meta({
    description: "How fast at what time; the first entry that fits counts, else the job's own rate",
  }),
  keepReports: z
    .strictObject({
      count: parsed((value) => parseCount(value, 1, 10_000))
        .default(30)
        .meta({
          description: 'How many reports are kept (default 30)',
        }),
      days: parsed((value) => parseCount(value, 1, 36_500))
        .optional()
        .meta({
          description: 'For how many days at most; the latest report is always kept',
        }),
    })
    .prefault({})
    .meta({ description: 'How many old reports stay' }),
  ...jobOptions,
});

export type JobKeys = Pick<
  z.output<typeof jobSchema>,
  'name' | 'export' | 'schedule' | 'timeZone' | 'jitter' | 'hours' | 'rates' | 'keepReports'
>;
