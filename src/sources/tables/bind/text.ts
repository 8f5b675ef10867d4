import { bbcodeToMarkdown } from '../../kit/text/bbcode.ts';
import { documentToMarkdown } from '../../kit/text/editor-document.ts';
import { htmlToMarkdown } from '../../kit/text/html-to-markdown.ts';
import type { Lose } from '../../kit/lost.ts';
import type { Row } from '../row.ts';
import type { MessageBinding } from '../schema/messages.ts';
import type { Markup } from '../schema/expressions.ts';
import type { BindingScope } from './value.ts';

/** Called for each part of a document of a type that is not known. */
type OnUnknown = (type: string) => void;

/** The text unchanged from the row, and as Markdown. */
export interface BoundText {
  readonly read: (row: Row) => string | undefined;
  readonly toMarkdown: (text: string, row: Row, lose: Lose, onUnknown: OnUnknown) => string;
  /** A word of the row that is not a known markup, so it is unknown how its text is written. */
  readonly unknownMarkup: (row: Row) => string | undefined;
}

const nothing = () => undefined;
const asItIs = (text: string) => text;

/** Binds the text. Plain text stays unchanged: escaping Markdown syntax would show characters that people did not write. */
export function bindText(binding: MessageBinding['text'], scope: BindingScope): BoundText {
  if (binding === undefined) return { read: nothing, toMarkdown: asItIs, unknownMarkup: nothing };
  if (typeof binding === 'string') return { read: scope.text(binding), toMarkdown: asItIs, unknownMarkup: nothing };
  const read = scope.text(binding.from);
  const { markup } = binding;
  if (typeof markup === 'string')
    return { read, toMarkdown: (text, _row, ...calls) => toMarkdown[markup](text, ...calls), unknownMarkup: nothing };
  const word = scope.text({ ...markup, otherwise: undefined }, 'required');
  const readMarkup = (row: Row) => {
    const said = word(row)?.trim() ?? '';
    return isMarkup(said) ? said : (markup.otherwise ?? (said === '' ? 'plain' : undefined));
  };
  return {
    read,
    toMarkdown: (text, row, ...calls) => toMarkdown[readMarkup(row) ?? 'plain'](text, ...calls),
    unknownMarkup: (row) => (readMarkup(row) === undefined ? word(row) : undefined),
  };
}

const isMarkup = (word: string): word is Markup => Object.hasOwn(toMarkdown, word);

const toMarkdown: Readonly<Record<Markup, (text: string, lose?: Lose, onUnknown?: OnUnknown) => string>> = {
  plain: asItIs,
  markdown: asItIs,
  html: (text, lose) => htmlToMarkdown(text, undefined, lose),
  // Text that people typed into a field that allows some HTML: WordPress, Rails and Django convert it to paragraphs for
  // display.
  'html-lines': (text, lose) => htmlToMarkdown(text.replace(/\r\n?|\n/g, '<br>'), undefined, lose),
  bbcode: bbcodeToMarkdown,
  document: documentToMarkdown,
};

/** A text as it would be sent, for showing what a markup makes of it. */
export const inMarkup = (markup: Markup, text: string): string => toMarkdown[markup](text);
