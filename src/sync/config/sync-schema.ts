import { z } from 'zod';
import { jobSchema } from './job-schema.ts';
import { listenSchema } from './listen.ts';
import { logSchema } from './log.ts';
import { optionsSchema } from '../../config/options.ts';
import { text } from '../../config/scalar.ts';
import { webhookSchema } from './webhook.ts';

/** `sync:` of `chatferry.yaml`: what all jobs have in common. */
export const syncSchema = z
  .strictObject({
    state: text.default('./chatferry.jobs.db').meta({
      description: 'What is remembered between runs: when each job ran, and what it has seen of its export',
    }),
    listen: listenSchema.optional(),
    webhook: webhookSchema.optional(),
    log: logSchema.optional(),
  })
  .meta({ description: 'What all jobs have in common' });

/** What `chatferry sync` reads of `chatferry.yaml`. */
export const syncPartSchema = z.object({
  jobs: z
    .array(jobSchema, { error: 'expected a list of jobs, each of which begins with "- name:"' })
    .min(1, { error: 'expected one job at least' })
    .meta({ description: 'Exports that are carried over on a schedule' }),
  sync: syncSchema.prefault({}),
});

/** The whole file, as its published JSON Schema describes it. */
export const configFileSchema = optionsSchema.extend({
  jobs: syncPartSchema.shape.jobs.optional(),
  sync: syncSchema.optional(),
});
