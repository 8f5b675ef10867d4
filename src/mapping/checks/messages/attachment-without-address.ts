import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentWithoutAddress: MessageCheck = {
  code: 'attachment-without-address',
  severity: 'decision',
  title: 'Files without an address',
  explanation:
    'The export names the file and gives no address for it: it was deleted, hidden by a plan, or the export was made without files.',
  remedy:
    'Export again with files or with an account that may see them; otherwise only their names are carried over, in metadata.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ url }) => url === undefined || url === ''),
};
