import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentAddressTooLong: MessageCheck = {
  code: 'attachment-address-too-long',
  severity: 'decision',
  title: 'Files whose address is too long',
  explanation:
    'The destination takes addresses of at most 3,000 characters (properties and constraints page, 2026-11).',
  remedy: 'Put the files elsewhere; otherwise only their names are carried over, in metadata.',
  concerns: 'attachments',
  find: (record) =>
    firstFile(
      record,
      ({ url }) => (url?.length ?? 0) > 3000,
      ({ url }) => `${url!.length} characters, 3000 allowed`,
    ),
};
