import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentUnnamed: MessageCheck = {
  code: 'attachment-unnamed',
  severity: 'information',
  title: 'Files without a name',
  explanation: 'Clients show files by their name.',
  remedy: 'Nothing; the file is still reached by its address.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ name }) => name.trim() === ''),
};
