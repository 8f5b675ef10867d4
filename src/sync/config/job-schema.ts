import { z } from 'zod';
import { fleetSchema, listenSchema, logSchema } from '../shared-settings.ts';
import { exportSchema } from './export-location.ts';
import { consents, jobOptionNames, type OptionName, optionsSchema } from '../../config/options.ts';
import { oneOrMore, parseCount, parsed, parseDuration, parseRate, text } from '../../lib/text/units.ts';
import { mediaSchema } from '../../mapping/rules.ts';
import { parseCron, parseHours, parseTimeZone } from './times.ts';
import { webhookSchema } from './webhook.ts';

const jobOptions = Object.fromEntries(jobOptionNames.map((name) => [name, optionsSchema().shape[name].optional()]));

const rateSchema = z.strictObject({
  hours: parsed(parseHours).describe("When, in the job's time zone, such as 08:00-18:00"),
  rate: parsed(parseRate).describe('Import requests per minute then'),
});

/** One job under `jobs:` of `chatferry.yaml`. */
const jobSchema = z.strictObject({
  name: text
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'expected a name of a-z, 0-9 and -, such as support-chat' })
    .describe('Name in logs, reports and file names: a-z, 0-9 and -, unique'),
  export: exportSchema,
  schedule: parsed(parseCron)
    .optional()
    .describe('When it runs: a cron expression of five fields, or six with seconds. Not needed with --once'),
  timeZone: parsed(parseTimeZone)
    .default('UTC')
    .describe('Zone of schedule, hours and rates, such as Europe/Berlin (default UTC)'),
  jitter: parsed(parseDuration)
    .default(0)
    .describe(
      'Every run begins up to so much later, at random: not all jobs of the world at the full hour (default 0)',
    ),
  hours: oneOrMore(parseHours)
    .optional()
    .describe(
      'Hours in which it may run, such as 22:00-06:00, or a list. At their end a run stops gracefully; it continues in the next period',
    ),
  rates: z
    .array(rateSchema, { error: 'expected a list of hours and rates' })
    .default([])
    .describe("How fast at what time; the first entry that fits counts, else the job's own rate"),
  keepReports: z
    .strictObject({
      count: parsed((value) => parseCount(value, 1, 10_000))
        .default(30)
        .describe('How many reports are kept (default 30)'),
      days: parsed((value) => parseCount(value, 1, 36_500))
        .optional()
        .describe('For how many days at most; the latest report is always kept'),
    })
    .prefault({})
    .describe('How many old reports stay'),
  media: mediaSchema
    .optional()
    .describe(
      'Files of messages are copied to permanent storage before they are sent; overrides the setting of the mapping',
    ),
  ...jobOptions,
});

export type JobKeys = Pick<
  z.output<typeof jobSchema>,
  'name' | 'export' | 'schedule' | 'timeZone' | 'jitter' | 'hours' | 'rates' | 'keepReports' | 'media'
>;

/** `sync:` of `chatferry.yaml`: what all jobs have in common. */
export const syncSchema = z
  .strictObject({
    state: text
      .default('./chatferry.jobs.db')
      .describe('State kept between runs: when each job ran, and what it has read of its export'),
    listen: listenSchema.optional(),
    webhook: webhookSchema.optional(),
    log: logSchema.optional(),
  })
  .describe('Settings that all jobs share');

/** Part of `chatferry.yaml` that `chatferry sync` reads. */
export const syncPartSchema = z.object({
  jobs: z
    .array(jobSchema, { error: 'expected a list of jobs, each starting with "- name:"' })
    .min(1, { error: 'expected one job at least' })
    .describe('Exports that are migrated on a schedule'),
  sync: syncSchema.prefault({}),
});

const noKeys = Object.fromEntries(consents.map((name) => [name, true])) as Partial<Record<OptionName, true>>;

/** The whole file, as its published JSON Schema describes it. */
export const configFileSchema = optionsSchema()
  .omit(noKeys)
  .extend({
    export: z
      .union([text, z.array(text).min(1)], { error: 'expected a path, or a list of paths' })
      .optional()
      .describe(
        'Export that plan and import read if you pass none: a folder, an archive or a file, or a list of them. A relative path starts at the folder of this file',
      ),
    jobs: syncPartSchema.shape.jobs.optional(),
    sync: syncSchema.optional(),
    fleet: fleetSchema.optional(),
  });
