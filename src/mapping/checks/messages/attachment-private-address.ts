import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';
import { isPrivateAddress } from '../private-address.ts';

export const attachmentPrivateAddress: MessageCheck = {
  code: 'attachment-private-address',
  severity: 'decision',
  title: 'Files at addresses of a private network',
  explanation: 'The address is of this machine or of an internal network: nobody outside can open it.',
  remedy: 'Put the files on a public server, and let the mapping rewrite their addresses.',
  concerns: 'attachments',
  find: (record) => firstFile(record, ({ url }) => isPrivateAddress(url)),
};
