import type { LostPart } from '../../model/lost-parts.ts';
import { fenced, markdownLink, quoted } from '../kit/text/markdown.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { personId, type TelegramPiece } from './format.ts';

/** Parts of a message that could not be migrated, with their numbers. */
export type Lost = Partial<Record<LostPart, number>>;

/** Data collected while the texts of a message are read. */
export interface Gathered {
  readonly mentions: string[];
  readonly lost: Lost;
}

export const lose = (lost: Lost, part: LostPart, count = 1): void => {
  lost[part] = (lost[part] ?? 0) + count;
};

/** @returns Markdown; undefined where `text` is neither a text nor a list of pieces. */
export function writeMarkdown(text: unknown, entities: unknown, gathered: Gathered): string | undefined {
  if (text === undefined) return '';
  if (typeof text === 'string') {
    if (text !== '' && meansMarkup(text, { isMarkup: false, isLineStart: true })) gathered.lost.accidentalMarkup = 1;
    return text;
  }
  if (!Array.isArray(text)) return undefined;
  const pieces = Array.isArray(entities) && entities.length > 0 ? entities : text;
  return joinBlocks(pieces, gathered);
}

/** Joins the pieces of a text. Quotations and blocks of code get lines of their own; everything between them is one text. */
function joinBlocks(pieces: readonly unknown[], gathered: Gathered): string {
  let markdown = '';
  let run: StyledPiece[] = [];
  let isBehindBlock = false;
  const endRun = () => {
    const { markdown: written, stylesLost } = styledText(run);
    if (stylesLost > 0) lose(gathered.lost, 'styles', stylesLost);
    const words = isBehindBlock ? written.replace(/^\n/, '') : written;
    run = [];
    if (words === '') return;
    markdown += isBehindBlock ? `\n\n${words}` : words;
    isBehindBlock = false;
  };
  for (const value of pieces) {
    const piece = typeof value === 'string' ? { type: 'plain', text: value } : asObject<TelegramPiece>(value);
    const text = piece && asString(piece.text);
    if (!piece || text === undefined) continue;
    const block = writeBlock(piece, text);
    if (block === undefined) {
      run.push(makePiece(piece, text, gathered));
      continue;
    }
    endRun();
    markdown = markdown.replace(/\n$/, '');
    markdown += (markdown === '' ? '' : isBehindBlock ? '\n\n' : '\n') + block;
    isBehindBlock = true;
  }
  endRun();
  return markdown;
}

function writeBlock({ type, language }: Untrusted<TelegramPiece>, text: string): string | undefined {
  if (type === 'pre') return fenced(text, asString(language)?.replace(/\W.*/s, ''));
  return type === 'blockquote' ? quoted(text) : undefined;
}

const styles: Readonly<Record<string, StyledPiece['style']>> = {
  bold: { bold: true },
  italic: { italic: true },
  strikethrough: { strike: true },
  code: { code: true },
};

function makePiece(piece: Untrusted<TelegramPiece>, text: string, { mentions, lost }: Gathered): StyledPiece {
  const { type, href, user_id: userId } = piece;
  const style = styles[asWord(type)] ?? {};
  if (type === 'text_link') return { text: markdownLink(asString(href) ?? '', text), style, isMarkdown: true };
  if (type === 'mention_name') {
    const id = personId(userId);
    if (id === undefined) lose(lost, 'unnamed');
    else if (!mentions.includes(id)) mentions.push(id);
    return { text: `@${text.replace(/^@/, '')}`, style };
  }
  if (type === 'underline') lose(lost, 'underlines');
  else if (type === 'spoiler') lose(lost, 'styles');
  else if (type === 'custom_emoji') lose(lost, 'emojiInText');
  else if (type === 'plain' && meansMarkup(text, { isMarkup: false, isLineStart: false })) lost.accidentalMarkup = 1;
  return { text, style };
}

/** The words of a text without its styles: of questions and answers. */
export function plainWords(text: unknown): string {
  if (typeof text === 'string') return text;
  return asArray(text)
    .map((piece) => (typeof piece === 'string' ? piece : (asString(asObject<TelegramPiece>(piece)?.text) ?? '')))
    .join('');
}
