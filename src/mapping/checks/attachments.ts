import type { Attachment, MessageRecord } from '../../model/records.ts';

/** The first file of a message that something is wrong with: its name, or what `words` says of it; and how many more there are. */
export function firstFile(
  { attachments = [] }: MessageRecord,
  isFound: (file: Attachment) => boolean,
  words: (file: Attachment) => string = describeFile,
): string | undefined {
  const first = attachments.findIndex(isFound);
  if (first < 0) return undefined;
  const others = attachments.slice(first + 1).filter(isFound).length;
  return `${words(attachments[first]!)}${others > 0 ? `, and ${others} more` : ''}`;
}

/** Name and host, never the whole address: it may hold a secret. */
function describeFile({ name, url }: Attachment): string {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
  return [name && `"${name.slice(0, 80)}"`, host && `at ${host}`].filter(Boolean).join(' ') || 'a file';
}
