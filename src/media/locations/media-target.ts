import { UsageError } from '../../lib/errors.ts';
import { forTerminal } from '../../lib/text/plain-text.ts';

/**
 * `media.to` is a bucket or a folder. One letter before the colon is a disk of Windows.
 *
 * @throws UsageError for any other scheme. Only the origin is quoted: an address may hold a password.
 */
export function assertMediaTarget(to: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(to)?.[1]?.toLowerCase();
  if (scheme === undefined || to.startsWith('s3://')) return;
  const isWeb = scheme === 'https' || scheme === 'http';
  const found = isWeb && URL.canParse(to) ? new URL(to).origin : `${forTerminal(scheme)}:`;
  const hint =
    scheme === 'file'
      ? 'Write the path alone: /srv/files or ./media'
      : isWeb
        ? 'Pass --media-to s3://bucket/prefix, with --media-endpoint if the bucket is not at Amazon, or a folder, with the web address that serves it as --media-base-url'
        : 'Write s3://bucket/prefix, or a folder';
  throw new UsageError(`Cannot use media.to: expected s3://bucket/prefix or a folder, found "${found}"`, { hint });
}
