import { readApiKey } from '../../config/api-key.ts';
import type { Options } from '../../config/options.ts';
import type { Secret } from '../../lib/secret.ts';
import { loadMapping } from '../../mapping/rules/load-rules.ts';
import type { PlanRequest } from '../../commands/session.ts';
import type { JobConfig } from '../../sync/config/sync-file.ts';
import type { Job } from '../../sync/job.ts';
import type { TargetOptions } from '../../upload/target.ts';
import { type Host, processHost } from '../host.ts';

/** What the options say about the destination. */
export const targetOf = (options: Options, to: string, host: KeyPlaces): Omit<TargetOptions, 'clock'> => ({
  ...targetOptionsOf(options, to),
  apiKey: apiKeyOf(options, host),
});

/** Where a key may stand that no file holds. */
type KeyPlaces = Pick<Host, 'env' | 'readInput'>;

export const apiKeyOf = ({ apiKeyFile }: Options, { env, readInput }: KeyPlaces): Secret | undefined =>
  readApiKey(apiKeyFile, env, readInput);

/** The same without the key. */
export function targetOptionsOf(options: Options, to: string): Omit<TargetOptions, 'clock' | 'apiKey'> {
  const { appId, region, profile, batchItems, batchBytes, duplicates, grace, rate, concurrency, readBack } = options;
  const { retentionDays } = options;
  return {
    to,
    appId,
    region,
    profile,
    concurrency,
    overrides: {
      ...(batchItems !== undefined && { batchItemsMax: batchItems }),
      ...(batchBytes !== undefined && { batchBytesMax: batchBytes }),
      ...(duplicates !== undefined && { duplicates }),
      ...(!readBack && { readBack }),
      ...(grace !== undefined && { graceLongMs: grace }),
      ...(rate !== undefined && { importsPerMinute: rate }),
      ...(retentionDays !== undefined && { retentionDays }),
    },
  };
}

type Planning = Pick<
  PlanRequest,
  'store' | 'exports' | 'source' | 'workspace' | 'mapping' | 'acceptMapping' | 'only' | 'drift' | 'exportKeeps'
>;

/** What the options say about reading and mapping exports: the same for every command that plans. */
export const planningOf = async (options: Options, exports: readonly string[]): Promise<Planning> => ({
  store: options.store,
  exports,
  source: options.source,
  workspace: options.workspace,
  mapping: await loadMapping(options.mapping),
  acceptMapping: options.acceptMapping,
  only: options.only,
  drift: options.drift,
  exportKeeps: options.exportKeeps,
});

/** A job of the configuration, as it is run in this process. */
export const jobOf = (config: JobConfig): Job => jobFor(processHost(), config);

/** A job of the configuration, as it is run where keys stand in these places. */
export const jobFor = (host: KeyPlaces, config: JobConfig): Job => ({
  config,
  async request() {
    const { options } = config;
    const { exports: _, ...planning } = await planningOf(options, []);
    return {
      ...targetOf(options, options.to ?? 'sandbox', host),
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
