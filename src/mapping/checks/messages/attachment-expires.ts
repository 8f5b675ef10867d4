import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

/** Query keys of signed addresses: Amazon S3 and CloudFront, Google Cloud Storage, Azure (`se`), Discord (`ex`). Vendors' pages, 2026-11. */
const signed = /[?&](?:X-Amz-(?:Expires|Signature)|X-Goog-(?:Expires|Signature)|Expires|Key-Pair-Id|se|ex)=/i;

export const attachmentExpires: MessageCheck = {
  code: 'attachment-expires',
  severity: 'decision',
  title: 'Files whose address expires',
  explanation:
    'The address is signed and stops working after a time (hours to days). The service keeps addresses, it does not copy files.',
  remedy: 'Copy the files to a place of your own before they expire, and let the mapping rewrite their addresses.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ url }) => signed.test(url ?? '')),
};
