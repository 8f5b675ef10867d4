import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { hasRowsOfChat } from '../kit/rows/chat-rows.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { bareRows, kindAt, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

/** Lists of an answer, by their key. */
export const kinds = ['conversations', 'threads', 'customers', 'users'] as const;
export type RowKind = (typeof kinds)[number];

interface Shape {
  readonly role: 'conversations' | 'threads' | 'people' | 'lists' | 'empty' | 'others';
  readonly at: JsonRowsAt;
  /** Kind of rows that have no answer around them; `answers` if each row is one. Undefined if the key of the list says it. */
  readonly bare: RowKind | 'answers' | undefined;
}

/** Content of a file. `conversations` have threads inside, `lists` of them have none; `others` are mailboxes, tags and the like. */
export interface Layout extends Shape {
  /** Conversation of threads by the only address in the file. */
  readonly address: string | undefined;
  /** By the path: for threads that have no address around them. */
  readonly byPath: string | undefined;
  readonly pages: readonly Page[];
}

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly totalPages: number;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained threads. */
export async function findLayout(input: ExportInput, path: string): Promise<Layout | undefined> {
  const shape = await decideByOutline(input, path, headBytes, shapeIn);
  if (shape === undefined) return undefined;
  const { addresses, pages } = await aroundListsIn(input, path);
  const isOfThreads = shape.role === 'threads' || shape.role === 'empty';
  if (!isOfThreads) return { ...shape, address: undefined, byPath: undefined, pages };
  const [address] = addresses;
  const byPath = conversationIn(path);
  if (addresses.size <= 1) return { ...shape, address, byPath, pages };
  // Which of them the threads without an answer are of is not known.
  return { ...shape, address: undefined, byPath: shape.bare === 'answers' ? byPath : undefined, pages: [] };
}

/** The conversation that a file of threads is about; undefined if it is about several, or about none that is known. */
export const conversationOf = ({ address, byPath }: Layout): string | undefined => address ?? byPath;

function shapeIn({ head, outline, isWhole }: FileOutline): Shape | undefined {
  if (head === '') return { role: 'threads', at: { layout: 'values' }, bare: 'threads' };
  const top = outline.get('');
  const has = (key: string) => top?.has(key) === true;
  const at = bareRows(head);
  if (!has('id')) {
    const role = findRole(kindsIn(outline), hasThreads(outline, '/_embedded/conversations/*'), isWhole);
    if (role !== undefined)
      return at.layout === 'values'
        ? { role, at: { layout: 'list', pattern: ['_embedded', '*'] }, bare: undefined }
        : { role, at, bare: 'answers' };
    if (isWhole && has('page') && has('_links') && !hasRowsOfChat(outline))
      return { role: has('_embedded') ? 'others' : 'empty', at, bare: undefined };
  }
  const bare = kindAt(outline, '', kindOf);
  const role = bare && findRole(new Set([bare]), hasThreads(outline, ''), isWhole);
  return role && { role, bare, at };
}

/** A file of several kinds is of the first of these. Whether conversations have threads shows at the end of the file, where none has. */
function findRole(kinds: ReadonlySet<RowKind>, haveThreads: boolean, isWhole: boolean): Shape['role'] | undefined {
  if (kinds.has('threads')) return 'threads';
  if (kinds.has('conversations')) return haveThreads ? 'conversations' : isWhole ? 'lists' : undefined;
  return kinds.size > 0 && isWhole ? 'people' : undefined;
}

const hasThreads = (outline: JsonOutline, at: string): boolean => outline.has(`${at}/_embedded/threads/*`);

const kindsIn = (outline: JsonOutline): ReadonlySet<RowKind> =>
  new Set(kinds.filter((kind) => kindAt(outline, `/_embedded/${kind}/*`, kindOf) === kind));

const kindOf: KindOf<RowKind> = (has) => {
  if (has('id', 'mailboxId', 'primaryCustomer')) return 'conversations';
  if (has('id', 'type', 'state', 'createdBy')) return 'threads';
  if (!has('id', 'firstName', 'lastName')) return undefined;
  return has('role') || has('timezone') ? 'users' : 'customers';
};

/** An answer that is larger is not looked at for its address: 50 threads have a tenth of it. */
const answerBytesMax = 2 ** 22;

/** Quotes in texts have a backslash in front: this is never in one. */
const around = new RegExp(
  [
    String.raw`"href"\s{0,20}:\s{0,20}"[^"]{0,300}?\\?\/conversations\\?\/(\d{1,20})\\?\/threads\b[^"]{0,300}"`,
    String.raw`"page"\s{0,20}:\s{0,20}(\{[^{}]{0,300}\})`,
  ].join('|'),
  'g',
);

/** The address of an answer, and its page, are behind its list. A file of several answers may have those of several conversations. */
async function aroundListsIn(input: ExportInput, path: string) {
  const text = Buffer.from(await headOrNothing(input, path, answerBytesMax)).toString('latin1');
  const addresses = new Set<string>();
  const pages: Page[] = [];
  for (const [, conversation, fields] of text.matchAll(around)) {
    const page = pageIn(fields);
    if (conversation !== undefined) addresses.add(conversation);
    if (page) pages.push(page);
  }
  return { addresses, pages };
}

function pageIn(json = ''): Page | undefined {
  const [number, totalPages] = ['number', 'totalPages'].map((key) =>
    Number(new RegExp(`"${key}"\\s{0,20}:\\s{0,20}(\\d{1,9})`).exec(json)?.[1]),
  );
  return number! > 0 && totalPages! > 0 ? { number: number!, totalPages: totalPages! } : undefined;
}

/**
 * The conversation of a file of threads by its path, where its address does not say it: `conversations/123/threads.json`, `threads/123-2.json`,
 * `conversation-123.json`. A number behind other words may be that of a page, and one alone a year.
 */
export function conversationIn(path: string): string | undefined {
  const inPath = /(?:(?:^|[/_-])conversations?[/_-]|(?:^|\/)threads\/)(\d{1,20})(?=[/_.-])/i.exec(path)?.[1];
  const asName = /(?:^|\/)(\d{1,20})\.[a-z]+$/i.exec(path)?.[1];
  return asName === undefined || asName === inPath ? inPath : undefined;
}
