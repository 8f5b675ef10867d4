import type { MessageRecord } from '../../model/records.ts';
import type { Facts } from './facts.ts';
import { firstLine } from './shorten.ts';
import type { UnattachedFile } from './map-attachments.ts';
import { markdownToPlain } from './markdown-to-plain.ts';
import type { MessageContext } from './message-context.ts';

/** Characters of a root that a reply quotes. */
const quotedMax = 120;

/** The text as the rules want it, and what was done for it. */
export function messageText(
  record: MessageRecord,
  rootMuid: string | undefined,
  unattached: readonly UnattachedFile[],
  { rules: { messages }, rootLine }: MessageContext,
): { readonly text: string; readonly done?: Facts } {
  let { text } = record;
  if (messages.markup === 'plain') text = markdownToPlain(text);
  if (messages.attachments === 'placeholder' && unattached.length > 0) {
    text = [...(text.trim() === '' ? [] : [text]), ...unattached.map(({ name }) => `📎 ${name}`)].join('\n');
  }
  if (messages.threads !== 'quote' || rootMuid === undefined) return { text };
  const line = rootLine?.(rootMuid);
  if (line === undefined) return { text, done: { rootsMissing: 1 } };
  return { text: `> ${firstLine(line, quotedMax)}\n\n${text}`, done: { rootQuotes: 1 } };
}
