import { UsageError } from '../../lib/errors.ts';
import type { FleetKeys } from '../../sync/shared-settings.ts';
import { MediaFault, type MediaLocation } from '../../media/media-location.ts';
import { openLocation } from '../../media/open-location.ts';

/** Location of a fleet's files: `fleet:` of the configuration. */
export type FleetFilesRule = { readonly files: string } & Partial<
  Pick<FleetKeys, 'endpoint' | 'region' | 'credentials'>
>;

/**
 * @param options.folder Base of relative paths. @throws UsageError, or MediaFault if the disk does not do what it
 *   should.
 */
export async function openFleetFiles(
  { files, endpoint, region = 'us-east-1', credentials }: FleetFilesRule,
  { env, folder }: { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string },
): Promise<MediaLocation> {
  // The address is not quoted: it may hold a password.
  if (/^https?:/i.test(files))
    throw new UsageError('Cannot use fleet.files: files at a web address cannot be listed', {
      hint: 'Write s3://bucket/prefix, with fleet.endpoint if the bucket is not at Amazon, or a folder that all workers share',
    });
  const rules = { to: files, key: '{sha256}', address: undefined, endpoint, region, credentials };
  try {
    return await openLocation(rules, { env, folder, isPrivate: true });
  } catch (error) {
    if (!(error instanceof UsageError)) throw ofFleet(error);
    throw new UsageError(asFleet(error.message), { hint: error.hint && asFleet(error.hint), cause: error.cause });
  }
}

/** The place is one for files of messages, and speaks of the settings of these. */
export function ofFleet(error: unknown): unknown {
  if (!(error instanceof MediaFault)) return error;
  const { kind, retryAfterMs, hint } = error;
  return new MediaFault(asFleet(error.message), { kind, retryAfterMs, hint: hint && asFleet(hint), cause: error });
}

const asFleet = (text: string): string =>
  text.replaceAll('media.to', 'fleet.files').replaceAll(/\bmedia\.(?=endpoint|region|credentials)/g, 'fleet.');
