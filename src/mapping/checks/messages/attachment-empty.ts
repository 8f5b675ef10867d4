import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentEmpty: MessageCheck = {
  code: 'attachment-empty',
  severity: 'information',
  title: 'Files of zero bytes',
  explanation: 'The file is empty: it was probably lost before the export was made.',
  remedy: 'Look whether the old system still has it.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ sizeBytes }) => sizeBytes === 0),
};
