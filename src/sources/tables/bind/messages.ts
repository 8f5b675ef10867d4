import { mayBeEncrypted } from '../../../lib/text/cipher.ts';
import { formatCount } from '../../../lib/text/count.ts';
import type { Entry } from '../../../model/entry.ts';
import { newMessage, type NewMessage } from '../../../model/new-message.ts';
import type { MessageRecord } from '../../../model/records.ts';
import { messageEntry, recordEntry } from '../../kit/entries.ts';
import { excerpt } from '../../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../../kit/rows/row-identity.ts';
import { RowNotes } from '../../kit/rows/row-notes.ts';
import { noteAssumption } from '../../kit/time/time-reading.ts';
import { bindConversation, conversationFrom, isPair, type NamedConversation, withMembers } from './conversation.ts';
import { bindText, type BoundText } from './text.ts';
import { bindTime, type BoundTime, formatOf } from './time.ts';
import type { MessageBinding } from '../schema/messages.ts';
import { addChildren } from './children.ts';
import { bindDetails } from './details.ts';
import { bindInternal } from './internal.ts';
import { Repeats, UniqueIds } from './repeats.ts';
import type { BindContext, RowBinder } from './row-binder.ts';
import { type BoundCondition, bindRowFilter, type RowFilter } from './row-filter.ts';
import type { Row } from '../row.ts';
import { RowOrder } from '../row-order.ts';
import { unreadFile, unreadStructures } from '../file-values.ts';
import { BindingScope, isShortened, shortenedReason } from './value.ts';

/** Required values of every message, and its text, unchanged from the row. */
interface Essentials {
  readonly conversation: NamedConversation;
  readonly id: string;
  readonly author: string | undefined;
  readonly time: Extract<BoundTime, { state: 'read' }>;
  readonly text: string | undefined;
  readonly internal: MessageRecord['internal'];
}

type InvalidRow = Omit<Extract<Entry, { type: 'invalid' }>, 'type' | 'location'>;

export const bindMessages = (binding: MessageBinding, context: BindContext): RowBinder =>
  new MessageBinder(binding, context);

/** Rows as messages. Compiled once: what a mapping does not bind costs a row nothing. */
const unclearConversation = {
  code: 'conversation-unclear',
  reason:
    'Rows of the table of conversations cannot be read, and the mapping leaves some conversations out: the one of this message may be among them',
};

class MessageBinder implements RowBinder {
  readonly required: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly #context: BindContext;
  readonly #isNewestFirst: boolean;
  /** Whether the mapping says at all who wrote a message. */
  readonly #namesAuthors: boolean;
  readonly #filter: RowFilter;
  readonly #essentialsOf: ReturnType<typeof bindEssentials>;
  readonly #conversationName: (row: Row) => string | undefined;
  readonly #toMarkdown: BoundText['toMarkdown'];
  readonly #details: ReturnType<typeof bindDetails>;
  readonly #notes = new RowNotes();
  readonly #identity = new RowIdentity();
  readonly #repeats: Repeats | undefined;
  readonly #ids = new UniqueIds();
  /** Conversations that this file has named. */
  readonly #named = new Set<string>();
  #rowCount = 0;
  #order = new RowOrder();

  constructor(binding: MessageBinding, context: BindContext) {
    const scope = new BindingScope(context.nulls, context.onWord);
    this.#context = context;
    this.#isNewestFirst = binding.order === 'newest-first';
    this.#namesAuthors = (binding.author ?? binding.authorName) !== undefined || isPair(binding.conversation);
    this.#filter = bindRowFilter(binding, scope, bindEncrypted(binding, scope));
    this.#essentialsOf = bindEssentials(binding, scope, context, this.#identity);
    this.#conversationName = scope.text(binding.conversationName);
    this.#toMarkdown = bindText(binding.text, scope).toMarkdown;
    this.#details = bindDetails(binding, scope, context, this.#notes);
    this.#repeats =
      binding.repeated && new Repeats(binding.repeated, { isNewestFirst: binding.order === 'newest-first' });
    this.required = scope.required;
    this.optional = scope.optional;
    this.lists = scope.lists;
  }

  beginFile(): void {
    this.#rowCount = 0;
    this.#order = new RowOrder();
    this.#named.clear();
    this.#identity.beginFile();
    this.#repeats?.beginFile();
    this.#ids.beginFile();
  }

  bind(row: Row, into: Entry[]): boolean {
    this.#rowCount += 1;
    const { location } = row;
    const rule = this.#filter.leavesOut(row);
    if (rule !== undefined) return this.#skip(rule, location, into);
    const found = this.#essentialsOf(row);
    if ('code' in found) {
      into.push({ type: 'invalid', ...found, location });
      return false;
    }
    const ofConversation = this.#context.ruleAgainst(found.conversation.id);
    if (ofConversation !== undefined) return this.#skip(ofConversation, location, into);
    if (this.#context.mayBeLeftOut(found.conversation.id)) {
      into.push({ type: 'invalid', ...unclearConversation, location });
      return false;
    }
    this.#nameConversation(found.conversation, row, into);
    const { time, text } = found.time;
    this.#order.note(found.conversation.id, found.id, time);
    noteAssumption(this.#notes, { assumed: time.assumed, text, location }, into);
    const message = this.#message(found, row, into);
    if (this.#repeats?.takes(message) === false) return this.#skip('older version', location, into);
    if (!this.#repeats && this.#ids.hasOtherText(message)) {
      into.push({ type: 'invalid', ...repeatedId(message.origin.id), location });
      return false;
    }
    if (isBlank(message)) this.#noteUnread(message, row, into);
    into.push(messageEntry(message, location, time.assumed));
    return true;
  }

  #skip(rule: string, location: Row['location'], into: Entry[]): false {
    into.push({ type: 'skipped', rule, location });
    return false;
  }

  /** Notes a file or a structure in a row without text: it must not be lost because the mapping does not name its column. */
  #noteUnread(message: NewMessage, row: Row, into: Entry[]): void {
    const reads = [...this.required, ...this.optional];
    const structures = unreadStructures(row, reads);
    if (structures.length > 0) message.unread = [...structures];
    const name = unreadFile(row, reads);
    if (name === undefined) return;
    const reason = `The row has no text, and ${JSON.stringify(name)} seems to have a file: bind it with source.messages.attachments: [{ url: ${JSON.stringify(name)} }]`;
    this.#notes.add('file-not-bound', reason, row.location, into);
  }

  endFile(path: string, into: Entry[]): void {
    this.#notes.end(path, into);
    this.#noteOrder(path, into);
  }

  /** The mapping's order of rows decides between messages of one time: what the file says of it must not be the opposite. */
  #noteOrder(path: string, into: Entry[]): void {
    const { order, ties, times } = this.#order;
    const mapped = this.#isNewestFirst ? 'newest-first' : 'oldest-first';
    if (order === undefined || order === mapped || ties === 0) return;
    const reason = `The mapping says ${mapped}, but the rows are ${order}: times rise in ${formatCount(times.rising)} and fall in ${formatCount(times.falling)} neighbouring rows, and ${formatCount(ties)} have the time of the one before`;
    into.push({ type: 'problem', code: 'order-contradicted', reason, location: { path }, count: ties });
  }

  #message({ conversation, id, author, time, text, internal }: Essentials, row: Row, into: Entry[]): NewMessage {
    const { source, workspace } = this.#context;
    const record = newMessage({
      origin: { source, workspace, conversation: conversation.id, id },
      sortKey: rowSortKey(
        time.time.nanoseconds,
        row.number ?? this.#rowCount,
        this.#isNewestFirst && row.number === undefined,
      ),
      sentAtMs: time.time.atMs,
      text: '',
    });
    if (text !== undefined)
      record.text = this.#toMarkdown(
        text,
        row,
        (part, count = 1) => {
          record.lost = { ...record.lost, [part]: (record.lost?.[part] ?? 0) + count };
        },
        (type) => {
          const reason = `The text has a part of the type ${excerpt(type)}, which has no place: only the words in it are sent`;
          this.#notes.add('unknown-text-part', reason, row.location, into);
        },
      );
    if (author !== undefined) record.author = author;
    if (internal !== undefined) record.internal = internal;
    for (const addTo of this.#details) addTo(record, row, into);
    const children = this.#context.children?.of(id);
    if (children) addChildren(record, children);
    if (!this.#namesAuthors && record.author === undefined && record.systemEvent === undefined) {
      this.#notes.addOnce(
        'author-unbound',
        'The mapping names no column of authors: all is by one unknown',
        row.location,
        into,
      );
    }
    return record;
  }

  /** Yields a conversation that no table describes, when the file names it for the first time. */
  #nameConversation(conversation: NamedConversation, row: Row, into: Entry[]): void {
    if (this.#named.has(conversation.id) || this.#context.isDescribed(conversation.id)) return;
    this.#named.add(conversation.id);
    const described = conversationFrom(conversation, this.#conversationName(row));
    into.push(recordEntry(withMembers(described, this.#context), row.location));
  }
}

const bindEncrypted = ({ encrypted, text }: MessageBinding, scope: BindingScope): readonly BoundCondition[] =>
  encrypted === 'skip' ? [{ rule: 'encrypted: skip', text: bindText(text, scope).read, holds: mayBeEncrypted }] : [];

const repeatedId = (id: string) => ({
  code: 'repeated-id',
  reason: `The id ${JSON.stringify(id)} is also that of a row before it, with another text`,
});

function bindEssentials(
  binding: MessageBinding,
  scope: BindingScope,
  context: BindContext,
  identity: RowIdentity,
): (row: Row) => Essentials | InvalidRow {
  const givenId = binding.id === undefined ? undefined : scope.text(binding.id, 'required');
  const readConversation = bindConversation(binding.conversation, scope);
  const readAuthor = bindAuthor(binding.author, scope);
  const readTime = bindTime(binding.time, scope, { zone: context.zone }, 'required');
  const readInternal = bindInternal(binding.internal, scope);
  const { read: readText, unknownMarkup } = bindText(binding.text, scope);

  return (row) => {
    const conversation = readConversation(row);
    if (!conversation) return missing('conversation', binding.conversation);
    const time = readTime(row);
    if (time.state === 'absent') return missing('time', binding.time, conversation.id);
    if (time.state === 'bad') return badTime(time.text, formatOf(binding.time), conversation.id);
    const text = readText(row);
    const markup = unknownMarkup(row);
    if (markup !== undefined) return badMarkup(markup, conversation.id);
    const said = readInternal(row);
    if (typeof said === 'object') return unclearVisibility(said.unknown, conversation.id);
    const internal = said === 'visible' ? undefined : said;
    const author = readAuthor(row) ?? (binding.author === undefined ? conversation.between?.[0] : undefined);
    const id = givenId ? givenId(row) : identity.idOf([conversation.id, author, time.text, text]);
    if (id === undefined) return missing('id', binding.id, conversation.id);
    const lost =
      shortened('id', id, conversation.id) ??
      shortened('conversation', conversation.id, conversation.id) ??
      shortened('author', author, conversation.id);
    return lost ?? { conversation, id, author, time, text, internal };
  };
}

function bindAuthor(binding: MessageBinding['author'], scope: BindingScope): (row: Row) => string | undefined {
  if (typeof binding !== 'object' || !('direction' in binding)) return scope.text(binding);
  const word = scope.text(binding.direction, 'required');
  const [us, them] = [scope.text(binding.us), scope.text(binding.them)];
  const [ours, theirs] = [new Set(binding.ours), new Set(binding.theirs)];
  return (row) => {
    const said = word(row) ?? '';
    if (ours.has(said)) return us(row);
    return theirs.has(said) ? them(row) : undefined;
  };
}

const missing = (what: string, binding: unknown, conversation?: string): InvalidRow => ({
  code: `missing-${what}`,
  reason: `The row has no ${what}: ${JSON.stringify(binding)} is empty`,
  ...(conversation !== undefined && { conversation }),
});

const badTime = (text: string, format: string, conversation: string): InvalidRow => ({
  code: 'bad-time',
  reason: isShortened(text)
    ? shortenedReason('time', text)
    : `Expected a time in the format ${format}, found ${excerpt(text)}: see "time" in the mapping`,
  conversation,
});

const unclearVisibility = (word: string, conversation: string): InvalidRow => ({
  code: 'unclear-visibility',
  reason: `Expected note, side-conversation, automation, visible or a flag, found ${word === '' ? 'nothing' : excerpt(word)}: see "internal" in the mapping`,
  conversation,
});

const badMarkup = (word: string, conversation: string): InvalidRow => ({
  code: 'unknown-markup',
  reason: `Expected html, html-lines, bbcode, markdown, document or plain, found ${excerpt(word)}: see "text.markup" in the mapping`,
  conversation,
});

function shortened(what: string, text: string | undefined, conversation: string): InvalidRow | undefined {
  if (text === undefined || !isShortened(text)) return undefined;
  return { code: 'shortened-id', reason: shortenedReason(what, text), conversation };
}

const isBlank = ({ text, attachments, systemEvent, call, isDeleted }: NewMessage): boolean =>
  text.trim() === '' && !attachments?.length && systemEvent === undefined && !call && !isDeleted;
