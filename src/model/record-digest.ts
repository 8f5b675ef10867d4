import { crypto } from '../lib/late.ts';
import type { MessageRecord } from './records.ts';

/**
 * SHA-256 over what the source says of a message: it changes when the source changes the message, and not when a
 * mapping or a profile does. 22 characters of base64url, 132 bits.
 */
export function recordDigest(record: MessageRecord): string {
  // The text comes last: whatever it says, it cannot be read as one of the lines before it.
  let content = `${record.author}\n${record.sentAtMs}`;
  if (record.threadRoot !== undefined) content += `\nthread ${record.threadRoot}`;
  if (record.isBroadcast) content += '\nbroadcast';
  if (record.quoteOf !== undefined) content += `\nquote ${record.quoteOf}`;
  if (record.systemEvent !== undefined) content += `\nsystem ${record.systemEvent}`;
  if (record.internal !== undefined) content += `\ninternal ${record.internal}`;
  if (record.call) content += `\ncall ${JSON.stringify(record.call)}`;
  if (record.edited) content += `\nedited ${record.edited.atMs} ${record.edited.by}`;
  if (record.isDeleted) content += '\ndeleted';
  if (record.isPinned) content += '\npinned';
  if (record.tags) content += `\ntags ${JSON.stringify(record.tags)}`;
  if (record.attachments) content += `\nfiles ${serializeFiles(record.attachments)}`;
  if (record.reactions) content += `\nreactions ${JSON.stringify(record.reactions)}`;
  content += `\n\n${record.text}`;
  return crypto().hash('sha256', content, 'base64url').slice(0, 22);
}

/** Where a file is inside of a backup is no fact about the message: the next backup has the same file at another place. */
function serializeFiles(attachments: MessageRecord['attachments']): string {
  const files = JSON.stringify(attachments);
  return files.includes('!base64/') ? files.replace(/"[^"]*!base64\/\d+%2B(\d+)\//g, '"!base64/$1/') : files;
}

type Marks = Pick<MessageRecord, 'version' | 'isDeleted' | 'edited' | 'internal'>;

/**
 * Returns a text that shows which of several versions of one message is the later one: it is greater for the later
 * version, compared by code unit. It holds, in this order: the update time of the row, whether the message was deleted or is internal,
 * the time of its last edit or dated mark, and when the export was made. Empty if the record has none of these. Equal
 * texts do not distinguish two versions.
 */
export function versionOfRecord({ version, isDeleted, edited, internal }: Marks): string {
  if (version === undefined && isDeleted === undefined && edited === undefined && internal === undefined) return '';
  // An edit without a time is more than none.
  const markedAtMs = Math.max(edited ? (edited.atMs ?? 1) : 0, version?.markedAtMs ?? 0);
  const steps = [
    time(version?.changedAtMs),
    isDeleted || internal !== undefined ? '1' : '0',
    time(markedAtMs),
    time(version?.exportedAtMs),
  ];
  return steps.join('').replace(/0+$/, '');
}

/** Eleven digits hold every time that a date can have. */
const time = (ms = 0): string => Math.max(0, ms).toString(36).padStart(11, '0');
