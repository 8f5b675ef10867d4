import { readApiKey } from '../config/api-key.ts';
import type { Options } from '../config/options.ts';
import type { TargetOptions } from '../run/target.ts';

/** What the options say about the destination. */
export function targetOf(options: Options, to: string): Omit<TargetOptions, 'clock'> {
  const { appId, region, profile, batchItems, batchBytes, duplicates, grace, rate, concurrency, readBack } = options;
  return {
    to,
    appId,
    region,
    profile,
    concurrency,
    apiKey: readApiKey(options.apiKeyFile, process.env),
    overrides: {
      ...(batchItems !== undefined && { batchItemsMax: batchItems }),
      ...(batchBytes !== undefined && { batchBytesMax: batchBytes }),
      ...(duplicates !== undefined && { duplicates }),
      ...(!readBack && { readBack }),
      ...(grace !== undefined && { graceLongMs: grace }),
      ...(rate !== undefined && { importsPerMinute: rate }),
    },
  };
}
