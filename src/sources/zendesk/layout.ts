import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { areLines, bareRows, kindAt, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export type RowKind = 'tickets' | 'comments' | 'users' | 'chats';

/** Content of a file. */
export interface Layout {
  /** Files with messages, or lists that other files refer to. */
  readonly role: 'rows' | 'shared' | 'side conversations';
  readonly at: JsonRowsAt;
  /** Kind of rows that have no list around them; undefined if the key of the list says it. */
  readonly bare: RowKind | undefined;
  /** Ticket of these comments. */
  readonly ticket: string | undefined;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained comments. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, (look) => layoutIn(look, path));

function layoutIn({ head, outline, isWhole, holdsList }: FileOutline, path: string): Layout | undefined {
  const ticket = (kinds: readonly RowKind[]) => (kinds.includes('comments') ? ticketIn(head, path) : undefined);
  if (head === '') return { role: 'rows', at: { layout: 'values' }, bare: 'comments', ticket: ticket(['comments']) };
  const bare = kindAt(outline, '', kindOf);
  // An answer may be one line; its rows are in a list, and it is none itself.
  if (head.startsWith('{') && (bare === undefined || !areLines(head))) {
    const kinds = (['tickets', 'comments', 'users', 'chats'] as const).filter(
      (key) => kindAt(outline, `/${key}/*`, kindOf) === key || (isWhole && holdsList(key) && outline.get('')?.has(key)),
    );
    const role = kinds.some((kind) => hasMessages(outline, `/${kind}/*`, kind)) ? 'rows' : 'shared';
    if (kinds.length > 0)
      return { role, at: { layout: 'list', pattern: ['*'] }, bare: undefined, ticket: ticket(kinds) };
    if (outline.has('/side_conversations/*'))
      return { role: 'side conversations', at: { layout: 'values' }, bare: undefined, ticket: undefined };
  }
  if (bare === undefined) return undefined;
  const role = hasMessages(outline, '', bare) ? 'rows' : 'shared';
  return { role, at: bareRows(head), bare, ticket: ticket([bare]) };
}

const hasMessages = (outline: JsonOutline, at: string, kind: RowKind): boolean =>
  kind === 'comments' || kind === 'chats' || (kind === 'tickets' && outline.get(at)?.has('comments') === true);

const kindOf: KindOf<RowKind> = (has) => {
  if (has('author_id', 'public', 'created_at')) return 'comments';
  if (has('id', 'subject', 'requester_id')) return 'tickets';
  if (has('id', 'visitor') && (has('history') || has('message'))) return 'chats';
  return has('id', 'name', 'role') ? 'users' : undefined;
};

/** A key with an address of comments of a ticket, never one in a text: quotes in texts have a backslash in front. */
const pageAddress =
  /"(next_page|previous_page|next|prev)"\s{0,20}:\s{0,20}"[^"]{1,2000}?\\?\/tickets\\?\/(\d{1,20})\\?\/comments/g;

/** The ticket of an address of another page: at the top of the answer, or in its `links`. One inside a row is about another ticket. */
function ticketOfPages(head: string): string | undefined {
  const found = [...head.matchAll(pageAddress)].find(({ 1: key, index }) => {
    const around = keysAround(head, index);
    return key!.endsWith('_page') ? around.length === 0 : around.length === 1 && around[0] === 'links';
  });
  return found?.[2];
}

/** Keys of the objects and lists that are open at a position, without the outermost. */
function keysAround(text: string, end: number): readonly string[] {
  const open: string[] = [];
  let key = '';
  const token = /"((?:[^"\\]|\\.)*)"|[{}[\]]/gs;
  for (let match = token.exec(text); match !== null && match.index < end; match = token.exec(text)) {
    const [mark, string] = match;
    if (string !== undefined) key = string;
    else if (mark === '{' || mark === '[') open.push(key);
    else open.pop();
  }
  return open.slice(1);
}

/**
 * The ticket of a file of comments: by the address of another page, by its path, or by a name that is nothing but its number. A number
 * behind other words may be that of a page.
 */
export function ticketIn(head: string, path: string): string | undefined {
  const inAddress = ticketOfPages(head);
  const inPath = /(?:^|[/_-])tickets?[/_-](\d{1,20})(?=[/_.-])/i.exec(path)?.[1];
  const asName = /(?:^|\/)(\d{1,20})\.[a-z]+$/i.exec(path)?.[1];
  // A folder may be a year.
  if (inAddress === undefined && inPath !== undefined && asName !== undefined && inPath !== asName) return undefined;
  return inAddress ?? inPath ?? asName;
}
