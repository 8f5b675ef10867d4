/** A message of signal-export after its time and author. */
export interface MarkdownRow {
  readonly text: string;
  readonly isDeleted: boolean;
  /** Addresses as in the links: `media/a%20b.jpg`. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly sticker: string | undefined;
  readonly reactions: readonly { readonly name: string; readonly emoji: string }[];
}

const head = /^\ufeff?\[(\d{4})-(\d\d)-(\d\d),? (\d\d):(\d\d)(?::(\d\d))?\] ([^\n]{0,300}?):(?: |$)/;

/** The beginning of a message, with its time as numbers. */
export interface MarkdownHead {
  readonly numbers: readonly number[];
  /** Unchanged from the file. */
  readonly time: string;
  readonly author: string;
  readonly text: string;
}

/** `[2020-01-01 12:00:05] Ann: Hello`; until 2023 `[2020-01-01, 12:00] Ann: Hello`. */
export function readHead(line: string): MarkdownHead | undefined {
  if (!line.startsWith('[') && !line.startsWith('\ufeff[')) return undefined;
  const found = head.exec(line);
  if (!found) return undefined;
  const numbers = found.slice(1, 7).map((digits) => Number(digits ?? '0'));
  return {
    numbers,
    time: found[0].slice(0, found[0].indexOf(']') + 1),
    author: found[7]!,
    text: line.slice(found[0].length),
  };
}

/**
 * A message's lines: what it quotes and says, then reactions, a sticker, and files, one behind the other. White space at the ends of lines is the
 * program's.
 */
export function markdownRow(lines: readonly string[]): MarkdownRow {
  const written = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  const files: { name: string; path: string }[] = [];
  let rest = written;
  for (let link = linkAtEnd(rest, './media/'); link; link = linkAtEnd(rest, './media/')) {
    files.push({ name: link.name, path: `media/${link.address}` });
    rest = link.before;
  }
  files.reverse();
  const { sticker, before } = stickerAtEnd(rest);
  const said = reactionsAtEnd(before);
  const isDeleted = said.before === '(This message was deleted)';
  return { text: isDeleted ? '' : said.before, isDeleted, files, sticker, reactions: said.reactions };
}

/** `![name](./media/name)` at the end of the text. */
function linkAtEnd(text: string, folder: string) {
  if (!text.endsWith(')')) return undefined;
  const at = text.lastIndexOf(`](${folder}`);
  const open = at === -1 ? -1 : text.lastIndexOf('[', at);
  const address = text.slice(at + 2 + folder.length, -1);
  if (open === -1 || address.includes('\n')) return undefined;
  const start = text[open - 1] === '!' ? open - 1 : open;
  return { name: text.slice(open + 1, at), address, before: text.slice(0, start).trimEnd() };
}

function stickerAtEnd(text: string): { readonly sticker: string | undefined; readonly before: string } {
  const link = linkAtEnd(text, '../exported_stickers/');
  if (link) return { sticker: link.name, before: link.before };
  const at = text.endsWith(' ))') ? text.lastIndexOf('(( ') : -1;
  const words = at === -1 ? '' : text.slice(at + 3, -3);
  if (words === '' || words.includes('\n') || (at > 0 && text[at - 1] !== '\n'))
    return { sticker: undefined, before: text };
  return { sticker: words, before: text.slice(0, at).trimEnd() };
}

/** `(- Ann: 👍, Ben Kai: 🌊 -)` in a line of its own. */
function reactionsAtEnd(text: string): { readonly reactions: MarkdownRow['reactions']; readonly before: string } {
  const none = { reactions: [], before: text };
  const at = text.endsWith(' -)') ? text.lastIndexOf('(- ') : -1;
  if (at === -1 || (at > 0 && text[at - 1] !== '\n')) return none;
  const reactions: { name: string; emoji: string }[] = [];
  let held: string[] = [];
  for (const part of text.slice(at + 3, -3).split(', ')) {
    const colon = part.lastIndexOf(': ');
    held.push(colon === -1 ? part : part.slice(0, colon));
    if (colon === -1) continue;
    reactions.push({ name: held.join(', '), emoji: part.slice(colon + 2) });
    held = [];
  }
  return held.length === 0 && reactions.length > 0 ? { reactions, before: text.slice(0, at).trimEnd() } : none;
}
