import { UsageError } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';
import { sourceNamed } from '../../plan/choose-source.ts';
import type { Job } from '../../sync/job.ts';
import { checkLocation } from '../../sync/locations/check.ts';
import { checkTarget } from '../../upload/target.ts';
import type { Surroundings } from '../terminal/surroundings.ts';

/** What can be said of mapping, source, keys and addresses is said now, and not at night. @returns Every secret. @throws UsageError */
export async function checkJobs(jobs: readonly Job[], { host, clock }: Surroundings): Promise<readonly Secret[]> {
  const keys: Secret[] = [];
  for (const job of jobs) {
    try {
      const request = await job.request();
      if (request.source !== undefined) sourceNamed(request.source);
      checkTarget({ ...request, clock });
      if (request.apiKey) keys.push(request.apiKey);
      keys.push(...checkLocation(job.config.export, host.env));
    } catch (error) {
      throw error instanceof UsageError ? ofJob(error, job) : error;
    }
  }
  return keys;
}

const ofJob = (error: UsageError, { config: { name, place } }: Job) =>
  new UsageError(`${error.message} (job "${name}" at ${place})`, {
    ...(error.hint !== undefined && { hint: error.hint }),
    cause: error,
  });
