import type { Attachment } from '../../../model/records.ts';
import type { Lose } from '../lost.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

const hasTag = /<[a-z!/]/i;

/**
 * The body of a mail or of a message of a help desk: its text as Markdown, and its pictures as files. A body without any tag is plain
 * text, in which `&amp;` is what was written.
 */
export function htmlBody(html: string, lose: Lose): { readonly text: string; readonly files: readonly Attachment[] } {
  if (!hasTag.test(html)) return { text: html.trim(), files: [] };
  const files: Attachment[] = [];
  const text = htmlToMarkdown(
    html,
    (name, attributes) => {
      if (name !== 'img') return undefined;
      const url = attributes.get('src') ?? '';
      if (!/^https?:\/\//i.test(url)) return attributes.get('alt') ?? '';
      files.push({ name: attributes.get('alt') || nameIn(url), url, kind: 'image' });
      return '';
    },
    lose,
  );
  return { text, files };
}

/**
 * For platforms whose bodies are always HTML: `Tom &amp; Ines`, which has no tag, is HTML too. Its line feeds stay.
 *
 * Call it for bodies of such a platform alone: elsewhere people write about `&amp;`.
 */
export const escapedBody = (html: string): string =>
  !hasTag.test(html) && html.includes('&') ? `<p>${html.replaceAll('\n', '<br>')}</p>` : html;

/** Name of a file by its address. */
export const nameIn = (url: string): string => url.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file';

/** A picture in the text may be attached as well: what comes first in the list counts. */
export const distinctFiles = (files: readonly Attachment[]): Attachment[] => {
  const byUrl = new Map(files.map((file, index) => [file.url ?? `#${index}`, index]).reverse() as [string, number][]);
  return files.filter(({ url }, index) => byUrl.get(url ?? `#${index}`) === index);
};
