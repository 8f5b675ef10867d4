import type { MessageCheck } from '../check.ts';
import { firstFile } from '../attachments.ts';
import { holdsSecret } from './attachment-token.ts';

/** Where chat platforms keep files for members only: Slack, Microsoft, Google, Webex, Mattermost, Zulip. Their file pages, 2026-11. A host has 253 characters at most. */
const loginHosts =
  /^https?:\/\/(?:files\.slack\.com\/files-pri|[^/]{1,253}\.sharepoint\.com\/|graph\.microsoft\.com\/|(?:drive|chat)\.google\.com\/|webexapis\.com\/|[^/]{1,253}\/(?:api\/v4\/files|user_uploads)\/)/i;

export const attachmentNeedsLogin: MessageCheck = {
  code: 'attachment-needs-login',
  severity: 'decision',
  title: 'Files behind a login of the old system',
  explanation:
    'Only people who are logged in to the old system, or who have its token, can open the address; when the old system ends, nobody can.',
  remedy:
    'Download the files with a token while the old system runs, put them on a server of your own, and rewrite their addresses.',
  concerns: 'attachments',
  // An address with its token needs no login: attachment-token speaks of it.
  find: (record) => firstFile(record, (file) => loginHosts.test(file.url ?? '') && !holdsSecret(file)),
};
