import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { hasRowsOfChat } from '../kit/rows/chat-rows.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { bareRows, kindAt, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export type RowKind = 'messages' | 'conversations' | 'contacts' | 'teammates';

interface Shape {
  readonly role: RowKind | 'events' | 'others';
  readonly at: JsonRowsAt;
  /** Each row is a whole answer. */
  readonly hasAnswers: boolean;
}

export interface Layout extends Shape {
  /** Conversation of messages that do not name theirs. */
  readonly conversation: string | undefined;
  /** The answer says that more follows. */
  readonly saysMore: boolean;
  /** The file begins with the latest row. */
  readonly isNewestFirst: boolean;
}

const aMessage: Shape = { role: 'messages', at: { layout: 'values' }, hasAnswers: false };
/** As the export template names files, one of which may be cut off before anything in it says what it is. */
const ofTemplate = /-(?:message-msg|comment-c(?:mt|om))_\w+\.json$/;

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages. */
export async function findLayout(input: ExportInput, path: string): Promise<Layout | undefined> {
  const shape =
    (await decideByOutline(input, path, headBytes, shapeIn)) ?? (ofTemplate.test(path) ? aMessage : undefined);
  if (shape === undefined) return undefined;
  const text = Buffer.from(await headOrNothing(input, path, answerBytesMax)).toString('latin1');
  const addresses = new Set([...text.matchAll(address)].map(([, id]) => id!));
  const [own] = addresses;
  return {
    ...shape,
    conversation: addresses.size > 1 ? undefined : (own ?? conversationIn(path)),
    saysMore: [...text.matchAll(pagination)].at(-1)?.[1]?.startsWith('"') === true,
    isNewestFirst: isNewestFirst(text),
  };
}

/** The fields around the list of an answer are in its beginning. */
const answerBytesMax = 2 ** 20;

/** Quotes in texts have a backslash in front: these are never in one. */
const address =
  /"self"\s{0,20}:\s{0,20}"[^"]{0,200}\\?\/conversations\\?\/(cnv_\w{1,64})\\?\/(?:messages|comments|drafts)(?:\?[^"]{0,2000})?"/g;
const pagination = /"_pagination"\s{0,20}:\s{0,20}\{\s{0,20}(?:"next"\s{0,20}:\s{0,20}(null|"))?/g;
const time = /"(?:created_at|posted_at)"\s{0,20}:\s{0,20}(\d{1,10}(?:\.\d{1,9})?)/g;

/** Answers begin with the latest one; who put them together may have turned them. */
function isNewestFirst(text: string): boolean {
  const times = [...text.matchAll(time)].map(([, at]) => Number(at));
  return !(times.length > 1 && times[0]! < times.at(-1)!);
}

function shapeIn({ head, outline, isWhole }: FileOutline): Shape | undefined {
  if (head === '') return aMessage;
  const at = bareRows(head);
  if (!outline.get('')?.has('_results')) {
    const role = decided(kindAt(outline, '', kindOf), isWhole);
    return role && { role, at, hasAnswers: false };
  }
  const role =
    decided(kindAt(outline, '/_results/*', kindOf), isWhole) ??
    (isWhole && !hasRowsOfChat(outline) ? 'others' : undefined);
  if (role === undefined) return undefined;
  return at.layout === 'values'
    ? { role, at: { layout: 'list', pattern: ['_results'] }, hasAnswers: false }
    : { role, at, hasAnswers: true };
}

/** Messages may follow behind other rows. */
const decided = (role: Shape['role'] | undefined, isWhole: boolean): Shape['role'] | undefined =>
  role === 'messages' || isWhole ? role : undefined;

/** The kind of rows by their keys; of several kinds, the first of these. */
const kindOf: KindOf<Shape['role']> = (has, valuesOf) => {
  if (has('id', 'is_inbound') || has('id', 'body', 'posted_at')) return 'messages';
  if (valuesOf('id').some((id) => /^(?:msg|cmt|com)_/.test(id))) return 'messages';
  if (has('id', 'emitted_at')) return 'events';
  if (has('id', 'status', 'subject')) return 'conversations';
  if (has('id', 'handles')) return 'contacts';
  return has('id', 'username', 'first_name') ? 'teammates' : undefined;
};

/** The conversation of a file by its path: `Support/cnv_55c8c149/1453770984.123-message-msg_55c8c149.json`. */
export function conversationIn(path: string): string | undefined {
  const found = new Set([...path.matchAll(/(?<![A-Za-z0-9])cnv_[A-Za-z0-9]{1,64}/g)].map(([id]) => id));
  return found.size === 1 ? [...found][0] : undefined;
}
