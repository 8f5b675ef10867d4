import type { JobConfig } from '../../sync/config/sync-file.ts';
import type { Job } from '../../sync/job.ts';
import { planningOf, targetOf } from './request.ts';

/** A job of the configuration, as it is run. */
export const jobOf = (config: JobConfig): Job => ({
  config,
  async request() {
    const { options } = config;
    const { exports: _, ...planning } = await planningOf(options, []);
    return {
      ...targetOf(options, options.to ?? 'sandbox'),
      ...planning,
      actions: options.actions,
      late: options.late,
      details: options.details,
      maxRefusedShare: options.maxRefused,
      notePeople: options.notePeople,
      verify: options.verify,
    };
  },
});
