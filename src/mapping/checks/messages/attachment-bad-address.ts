import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

export const attachmentBadAddress: MessageCheck = {
  code: 'attachment-bad-address',
  severity: 'decision',
  title: 'Files whose address is not one of the web',
  explanation:
    'The address is a path inside the export or of another kind (file:, blob:, mxc:): nobody can open it at the destination.',
  remedy:
    'Put the files on a web server and give their addresses; the mapping can rewrite the beginning of addresses (messages.attachments).',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ url }) => !!url && !(/^https?:\/\//i.test(url) && URL.canParse(url))),
};
