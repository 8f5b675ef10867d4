import type { Attachment } from '../../../model/records.ts';
import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';

const secretKey = /xox[a-z]-|[?&](?:access_?token|token|api_?key|auth|password)=/i;

/** A token, a key or a password in the address of a file. */
export const holdsSecret = ({ url = '' }: Attachment): boolean =>
  secretKey.test(url) || (url.includes('@') && URL.canParse(url) && new URL(url).password !== '');

export const attachmentToken: MessageCheck = {
  code: 'attachment-token',
  severity: 'decision',
  title: 'Addresses that carry a secret',
  explanation:
    'The address holds an access token, a key or a password: every member could read it, and when it is withdrawn, nobody can open the file.',
  remedy:
    'Download the files while the old system runs, put them on a server of your own, rewrite their addresses, and withdraw the token.',
  concerns: 'attachments',
  find: (record) => firstFile(record, holdsSecret, () => 'the address is not shown here'),
};
