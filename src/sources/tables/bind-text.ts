import { htmlToMarkdown } from '../kit/html-to-markdown.ts';
import type { MessageBinding } from './message-binding.ts';
import type { Row } from './row.ts';
import type { BindingScope } from './value.ts';

/** The text as it stands in the row, and as Markdown. */
export interface BoundText {
  readonly read: (row: Row) => string | undefined;
  readonly toMarkdown: (text: string) => string;
}

/** Plain text is taken as it is: escaping what looks like Markdown would show people characters that nobody wrote. */
export function bindText(binding: MessageBinding['text'], scope: BindingScope): BoundText {
  if (binding === undefined) return { read: () => undefined, toMarkdown: asItIs };
  if (typeof binding === 'string') return { read: scope.text(binding), toMarkdown: asItIs };
  return { read: scope.text(binding.from), toMarkdown: toMarkdown[binding.markup] };
}

const asItIs = (text: string) => text;

const toMarkdown = {
  plain: asItIs,
  markdown: asItIs,
  html: htmlToMarkdown,
  // What people typed into a box that takes some HTML: WordPress, Rails and Django make paragraphs of it when they show it.
  'html-lines': (text: string) => htmlToMarkdown(text.replace(/\r\n?|\n/g, '<br>')),
} as const;
