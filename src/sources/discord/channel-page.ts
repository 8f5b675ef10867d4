import { decoded } from '../../lib/text/decoded.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import {
  elementsIn,
  firstOfClass,
  hasClass,
  type HtmlElement,
  markdownIn,
  readHtmlElements,
  wordsIn,
} from '../kit/text/html-elements.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { type Channel, channelByName } from './channel.ts';
import { ChannelDescription } from './channel-description.ts';
import type { ExportContext } from './channel-file.ts';
import { addFile } from './files.ts';
import { People } from './people.ts';
import { Row } from './row.ts';

/** Milliseconds of 1 January 2015, from which ids count, in the bits above the lowest 22. */
const epochMs = 1_420_070_400_000n;

const isMessage = (name: string, { class: kind = '' }: HtmlElement['attributes']): boolean =>
  name === 'div' && /(?:^|\s)chatlog__message-container(?:\s|$)/.test(kind);

/**
 * Reads the entries of a channel saved as a page. Times on the page are in local format without seconds; the exact
 * times of messages are in their ids.
 *
 * <div class="chatlog__message-container" data-message-id="1477…"> … <span class="chatlog__author"
 * data-user-id="300…">Ines</span> …
 *
 * https://github.com/Tyrrrz/DiscordChatExporter, Core/Exporting/MessageGroupTemplate.cshtml (2026-11)
 */
export async function* readChannelPage(
  input: ExportInput,
  path: string,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const channel = channelByName(path);
  const page = new Page(channel, context);
  const description = new ChannelDescription(path, channel);
  const files = await context.filesBeside(path);
  let hasBegun = false;
  for await (const found of readHtmlElements(input.open(path), isMessage)) {
    const into = hasBegun ? [] : description.begin();
    hasBegun = true;
    for (const { element, line, fault } of found) {
      const location = { path, line };
      const id = element.attributes['data-message-id'];
      if (fault !== undefined || id === undefined || !/^\d{15,20}$/.test(id)) {
        const reason = fault === undefined ? 'The message has no id' : `Cannot read the message: it is ${fault}`;
        into.push(
          invalidEntry(
            fault === undefined ? 'missing-id' : 'discord-bad-page',
            reason,
            location,
            channel.conversation.id,
          ),
        );
        continue;
      }
      const begin = into.length;
      try {
        const row = new Row(channel, page.people);
        const record = page.readMessage(element, { id, row, location, into });
        if (row.files.length > 0)
          record.attachments = await Promise.all(
            row.files.map((file) => ('local' in file ? files.attachment(file.local) : file)),
          );
        description.note(record);
        into.push(recordEntry(record, location));
      } catch (error) {
        invalidRow(error, { into, begin, location, conversation: channel.conversation.id });
      }
    }
    yield into;
  }
  yield description.end(context.account);
}

interface Place {
  readonly id: string;
  readonly row: Row;
  readonly location: Location;
  readonly into: Entry[];
}

class Page {
  readonly people = new People();
  readonly #channel: Channel;
  readonly #workspace: string;
  /** Author of the current group of messages: only the first message of a group names them. */
  #author: string | undefined;

  constructor(channel: Channel, { workspace }: ExportContext) {
    this.#channel = channel;
    this.#workspace = workspace;
  }

  readMessage(element: HtmlElement, { id, row, location, into }: Place): NewMessage {
    const author =
      firstOfClass(element, 'chatlog__author') ?? firstOfClass(element, 'chatlog__system-notification-author');
    if (author) this.#author = this.people.see(readUser(element, author), location, into);
    const content =
      firstOfClass(element, 'chatlog__content') ?? firstOfClass(element, 'chatlog__system-notification-content');
    const cards = elementsIn(element, (inner) => hasClass(inner, 'chatlog__embed')).map((card) => textIn(card, row));
    const [reply] = elementsIn(element, (inner) => hasClass(inner, 'chatlog__reply-link'));
    for (const file of elementsIn(
      element,
      (inner) => hasClass(inner, 'chatlog__attachment') || hasClass(inner, 'chatlog__sticker'),
    ))
      addMedia(file, row);
    const isNotice = hasClass(content ?? element, 'chatlog__system-notification-content');
    return newMessage({
      origin: { source: 'discord', workspace: this.#workspace, conversation: this.#channel.conversation.id, id },
      sortKey: id.padStart(20, '0'),
      sentAtMs: Number((BigInt(id) >> 22n) + epochMs),
      text: [content ? textIn(content, row) : '', ...cards].filter(Boolean).join('\n\n'),
      author: this.#author,
      reactions: elementsIn(element, (inner) => hasClass(inner, 'chatlog__reaction')).map(readReaction),
      quoteOf: /'(\d{15,20})'/.exec(reply?.attributes.onclick ?? '')?.[1],
      edited: firstOfClass(element, 'chatlog__edited-timestamp') && {},
      systemEvent: isNotice ? 'system-notification' : undefined,
      isPinned: hasClass(element, 'chatlog__message-container--pinned'),
      lost: row.lost,
    });
  }
}

/** The title has the number of those who have one, as bots have: `Tidebot#4242`. */
function readUser(element: HtmlElement, author: HtmlElement) {
  const { title } = author.attributes;
  const isBot = firstOfClass(element, 'chatlog__author-tag') !== undefined;
  return {
    id: author.attributes['data-user-id'],
    name: title,
    ...(isBot && title !== undefined && !/#\d{4}$/.test(title) && { discriminator: '0000' }),
    nickname: wordsIn(author),
    avatarUrl: firstOfClass(element, 'chatlog__avatar')?.attributes.src,
    isBot,
    roles: [],
  };
}

const textIn = (element: HtmlElement, row: Row): string =>
  markdownIn(prepared(element, row), (part) => row.lose(part)).trim();

const tags: Readonly<Record<string, string>> = {
  'chatlog__markdown-quote-content': 'blockquote',
  'chatlog__markdown-pre--multiline': 'pre',
};

/** The same in tags that say what it is: quotations and code are classes, ends of lines are characters. */
function prepared(element: HtmlElement, row: Row): HtmlElement {
  const { attributes } = element;
  const classes = (attributes.class ?? '').split(/\s+/);
  const children = element.children.flatMap((child): (HtmlElement | string)[] => {
    if (typeof child !== 'string') return hasClass(child, 'chatlog__edited-timestamp') ? [] : [prepared(child, row)];
    return child
      .split('\n')
      .flatMap((line, at) => (at === 0 ? [line] : [{ name: 'br', attributes: {}, children: [] }, line]));
  });
  const isEmoji = classes.includes('chatlog__emoji') && /^\w+$/.test(attributes.alt ?? '');
  if (isEmoji) row.lose('emojiInText');
  const name = classes.map((one) => tags[one]).find(Boolean) ?? element.name;
  return { name, attributes: isEmoji ? { alt: `:${attributes.alt}:` } : attributes, children };
}

function addMedia(element: HtmlElement, row: Row): void {
  const [media] = elementsIn(
    element,
    ({ attributes }) => attributes.src !== undefined || attributes.href !== undefined,
  );
  const [inner] = media ? elementsIn(media, ({ attributes }) => attributes.src !== undefined) : [];
  const url = media?.attributes.href ?? inner?.attributes.src ?? media?.attributes.src;
  if (url !== undefined) addFile({ url: /^https?:/i.test(url) ? url : decoded(url) }, row);
}

function readReaction(element: HtmlElement): Reaction {
  const name =
    elementsIn(element, ({ attributes }) => attributes.alt !== undefined)[0]?.attributes.alt ??
    element.attributes.title ??
    '?';
  const count = Number(wordsIn(firstOfClass(element, 'chatlog__reaction-count'))) || 1;
  return { emoji: /^\w+$/.test(name) ? `:${name}:` : name || '?', users: [], count };
}
