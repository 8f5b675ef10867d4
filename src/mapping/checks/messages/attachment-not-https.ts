import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentNotHttps: MessageCheck = {
  code: 'attachment-not-https',
  severity: 'information',
  title: 'Files at addresses without TLS',
  explanation: 'Apps and browsers refuse to load http: addresses into an https: page.',
  remedy: 'Check whether the host also answers https, and rewrite the addresses.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ url }) => /^http:\/\//i.test(url ?? '')),
};
