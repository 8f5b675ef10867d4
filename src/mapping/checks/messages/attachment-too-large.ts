import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentTooLarge: MessageCheck = {
  code: 'attachment-too-large',
  severity: 'information',
  title: 'Files over 100 MB',
  explanation:
    'Clients of the service take files of at most 104,857,600 bytes (client settings, 2026-11); a larger one may not be shown.',
  remedy: 'Nothing, if people only follow the link; otherwise replace the file by a smaller one.',
  concerns: 'attachments',
  find: (record) =>
    firstFile(
      record,
      ({ sizeBytes = 0 }) => sizeBytes > 104_857_600,
      ({ sizeBytes }) => `${sizeBytes} bytes, 104857600 allowed`,
    ),
};
