import { markdownLink } from '../kit/markdown.ts';
import type { TextContext } from './references.ts';

/** What leads into Slack, and nowhere once it is closed: messages, files, people, canvases. Slack's own pages of help do not. */
const oldAddress =
  /^https?:\/\/[\w.-]{1,200}\.slack\.com\/(?:archives|messages|files|team|docs|canvas|lists|services)\//i;

/** `https://work.slack.com/archives/C061A0WJG/p1433563027000006?thread_ts=1433562823.000002&cid=C061A0WJG` */
const permalink = /\/archives\/([A-Z0-9]{6,20})\/p(\d{9,10})(\d{6})(?:[?#]|$)/;

/** A link as Markdown. One that leads into the old workspace is counted, and noted where it leads to a message that the export may have. */
export function linkTo(url: string, label: string | undefined, context: TextContext): string {
  if (url.includes('.slack.com/') && oldAddress.test(url)) {
    context.lose('oldLinks');
    const [, conversation, seconds, fraction] = permalink.exec(url) ?? [];
    if (conversation !== undefined) context.noteLink({ url, conversation, id: `${seconds}.${fraction}` });
  }
  return markdownLink(url, label);
}
