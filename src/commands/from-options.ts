import { type KeyPlaces, readApiKey } from '../config/api-key.ts';
import type { Options } from '../config/options.ts';
import { trustOf } from '../config/trusted-files.ts';
import type { MediaFlags } from '../media/media-rules.ts';
import { loadMapping } from '../mapping/load.ts';
import type { PlanRequest } from './prepare/plan.ts';
import type { TargetOptions } from '../delivery/target.ts';

/** Returns the options about the destination. */
export const targetOf = (
  options: Options,
  to: string,
  { env, readInput }: KeyPlaces,
): Omit<TargetOptions, 'clock'> => ({
  ...targetOptionsOf(options, to),
  apiKey: readApiKey(options.apiKeyFile, env, readInput),
});

/** The same without the key. */
export function targetOptionsOf(options: Options, to: string): Omit<TargetOptions, 'clock' | 'apiKey'> {
  const { appId, region, profile, batchItems, batchBytes, duplicates, gracePeriod, rate, concurrency, readBack } =
    options;
  const { retentionDays, rehearseFor } = options;
  return {
    to,
    appId,
    region,
    profile,
    rehearseFor,
    concurrency,
    overrides: {
      ...(batchItems !== undefined && { batchItemsMax: batchItems }),
      ...(batchBytes !== undefined && { batchBytesMax: batchBytes }),
      ...(duplicates !== undefined && { duplicates }),
      ...(!readBack && { readBack }),
      ...(gracePeriod !== undefined && { graceLongMs: gracePeriod }),
      ...(rate !== undefined && { importsPerMinute: rate }),
      ...(retentionDays !== undefined && { retentionDays }),
    },
  };
}

type Planning = Pick<
  PlanRequest,
  'store' | 'from' | 'source' | 'workspace' | 'allowMappingChange' | 'only' | 'drift' | 'exportScope'
> &
  Required<Pick<PlanRequest, 'mapping'>>;

/**
 * Returns the options about reading and mapping exports: the same for every command that plans.
 *
 * @param read The paths read as exports, if they are different ones.
 */
export const planningOf = async (
  options: Options,
  exports: readonly string[],
  read: readonly string[] = exports,
): Promise<Planning> => ({
  store: options.store,
  from: exports,
  source: options.source,
  workspace: options.workspace,
  mapping: await loadMapping(options.mapping, { exports: read, trust: trustOf }),
  allowMappingChange: options.allowMappingChange,
  only: options.only,
  drift: options.drift,
  exportScope: options.exportScope,
});

/** Returns the options about copying files. */
export const mediaFlagsOf = (options: Options): MediaFlags => ({
  to: options.mediaTo,
  address: options.mediaBaseUrl,
  missing: options.mediaMissing,
  endpoint: options.mediaEndpoint,
  region: options.mediaRegion,
  credentials: options.mediaCredentials,
  token: options.mediaToken,
  tokenHosts: options.mediaTokenHosts,
  bandwidth: options.bandwidth,
});
