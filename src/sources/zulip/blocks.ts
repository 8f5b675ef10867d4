import { bold, fenced, quoted } from '../kit/text/markdown.ts';

/** Blocks inside each other that show: each costs every line of it some characters. */
const depthMax = 8;

/** A fence, with the text after it: ```` ```quote ````, `~~~ spoiler The end`, ```` ```python ````. */
const fence = /^(`{3,100}|~{3,100})[ \t]{0,20}\{?\.?([\w+#-]{0,40})\}?(?:[ \t]{1,20}(\S.{0,500}))?$/;

interface Block {
  readonly end: string;
  readonly kind: 'top' | 'quote' | 'spoiler';
  readonly title: string;
  /** Finished pieces of lines. */
  readonly pieces: string[];
  /** Lines of ordinary text that come one behind another. */
  text: string[];
}

/**
 * Converts quotations and spoilers of Zulip, which are fenced like code, to quotations of Markdown. Calls `convert` for
 * text that is not code. An unclosed fence ends with the text.
 */
export function withBlocks(text: string, convert: (piece: string) => string, onSpoiler: () => void): string {
  if (!text.includes('```') && !text.includes('~~~')) return convert(text);
  const open: Block[] = [newBlock('top', '', '')];
  const flush = (block: Block) => {
    if (block.text.length > 0) block.pieces.push(convert(block.text.join('\n')));
    block.text = [];
  };
  const closeLast = () => {
    const block = open.pop()!;
    flush(block);
    open.at(-1)!.pieces.push(shown(block));
  };
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd();
    const last = open.at(-1)!;
    if (line === last.end && last.kind !== 'top') {
      closeLast();
      continue;
    }
    const [, mark, word = '', title = ''] = fence.exec(line) ?? [];
    const kind = word === 'quote' || word === 'spoiler' ? word : undefined;
    if (mark === undefined || (kind && open.length > depthMax)) last.text.push(lines[at]!);
    else if (kind) {
      flush(last);
      if (kind === 'spoiler') onSpoiler();
      open.push(newBlock(kind, mark, convert(title)));
    } else {
      flush(last);
      const end = endOfCode(lines, at + 1, mark);
      last.pieces.push(fenced(lines.slice(at + 1, end).join('\n'), word));
      at = end;
    }
  }
  while (open.length > 1) closeLast();
  flush(open[0]!);
  return joined(open[0]!.pieces);
}

const newBlock = (kind: Block['kind'], end: string, title: string): Block => ({
  kind,
  end,
  title,
  pieces: [],
  text: [],
});

function endOfCode(lines: readonly string[], from: number, mark: string): number {
  let end = from;
  while (end < lines.length && lines[end]!.trimEnd() !== mark) end += 1;
  return end;
}

/** Returns the content of a quotation, with its marks. */
function shown({ kind, title, pieces }: Block): string {
  const inside = withoutBlankEnds(joined(pieces));
  return quoted(kind === 'spoiler' ? `${bold(title || 'Spoiler')}\n${inside}` : inside);
}

function withoutBlankEnds(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === '\n') from += 1;
  while (to > from && text[to - 1] === '\n') to -= 1;
  return text.slice(from, to);
}

/** A line that follows a quotation without a blank one between would be part of it. */
function joined(pieces: readonly string[]): string {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const isBehindQuote = pieces[index - 1]?.startsWith('> ') && piece !== '' && !piece.startsWith('\n');
    text += (index === 0 ? '' : isBehindQuote ? '\n\n' : '\n') + piece;
  }
  return text;
}
