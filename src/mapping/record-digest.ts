import { hash } from 'node:crypto';
import type { MessageRecord } from '../model/records.ts';

/**
 * 128 bits of SHA-256 over what the source says of a message: it changes when the source changes the message, and not
 * when a mapping or a profile does. 22 characters of base64url.
 */
export function recordDigest(record: MessageRecord): string {
  let content = `${record.author}\n${record.sentAtMs}\n${record.text}`;
  if (record.threadRoot !== undefined) content += `\nthread ${record.threadRoot}`;
  if (record.edited) content += `\nedited ${record.edited.atMs} ${record.edited.by}`;
  if (record.isDeleted) content += '\ndeleted';
  if (record.isPinned) content += '\npinned';
  if (record.attachments) content += `\nfiles ${JSON.stringify(record.attachments)}`;
  if (record.reactions) content += `\nreactions ${JSON.stringify(record.reactions)}`;
  return hash('sha256', content, 'base64url').slice(0, 22);
}
