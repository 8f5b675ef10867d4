import { asArray, asCount, asId, asObject, asString, asWord, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { RowProblem } from '../kit/entries.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { pollText } from '../kit/text/poll-text.ts';
import type { ApiComponent, ApiEmbed, ApiFile, ApiMessage, ApiPoll, ApiSticker, ApiUser } from './api-format.ts';
import type { DiscordMessage, DiscordUser } from './format.ts';

/** Names that the exporter has for types; it writes the number of any other. */
const typeNames: Readonly<Record<number, string>> = {
  0: 'Default',
  1: 'RecipientAdd',
  2: 'RecipientRemove',
  3: 'Call',
  4: 'ChannelNameChange',
  5: 'ChannelIconChange',
  6: 'ChannelPinnedMessage',
  7: 'GuildMemberJoin',
  18: 'ThreadCreated',
  19: 'Reply',
};

/** The words of the exporter for lines of the platform, which have no text of their own. */
const wordsOfType: Readonly<Record<string, (content: string) => string>> = {
  ChannelNameChange: (content) =>
    content === '' ? 'Changed the channel name.' : `Changed the channel name: ${content}`,
  ChannelIconChange: () => 'Changed the channel icon.',
  ChannelPinnedMessage: () => 'Pinned a message.',
  GuildMemberJoin: () => 'Joined the server.',
  ThreadCreated: () => 'Started a thread.',
};

/** Types that a person or app writes: those always have a content of some kind. */
const written = new Set(['Default', 'Reply', '20', '23']);
/** An app says that it is thinking: there is no content yet. */
const loadingFlag = 128;
/** Only the person who gave the command saw the answer. */
const ephemeralFlag = 64;

const hasFlag = ({ flags }: Untrusted<ApiMessage>, flag: number): boolean =>
  typeof flags === 'number' && (flags & flag) !== 0;

/**
 * A message of the API as the exporter writes it: so both are read in one way. Its people stay as the API has them.
 *
 * @returns why it is none: Discord leaves out the content if the app has no right to it, and then nothing says what was written.
 */
export function exportedMessage(message: Untrusted<ApiMessage>): Untrusted<DiscordMessage> | RowProblem {
  const type = typeof message.type === 'number' ? (typeNames[message.type] ?? String(message.type)) : message.type;
  const { content = '' } = message;
  if (typeof content !== 'string' && content !== null)
    return { code: 'discord-no-content', reason: `Expected "content" as text, found ${wordFor(content)}` };
  const reference = asObject<ApiMessage['message_reference']>(message.message_reference);
  const snapshot = asObject<{ message: ApiMessage }>(asArray(message.message_snapshots)[0]);
  const isForward = reference?.type === 1;
  const kind = asWord(type);
  if (written.has(kind) && !isForward && !hasContent(message))
    return { code: 'discord-no-content', reason: 'Discord gave no content of this message' };
  const shown = shownContent(message);
  const sent = {
    id: message.id,
    type,
    timestamp: message.timestamp,
    isPinned: message.pinned,
    isEphemeral: hasFlag(message, ephemeralFlag),
  };
  const people = { author: message.author, mentions: message.mentions, reactions: message.reactions };
  return {
    ...sent,
    ...people,
    timestampEdited: message.edited_timestamp,
    callEndedTimestamp: asObject<ApiMessage['call']>(message.call)?.ended_timestamp,
    ...shown,
    content: wordsOfType[kind]?.(asString(content) ?? '') ?? shown.content,
    ...(reference && {
      reference: {
        type: isForward ? 'Forward' : 'Default',
        messageId: reference.message_id,
        channelId: reference.channel_id,
      },
    }),
    ...(snapshot && { forwardedMessage: forwarded(snapshot.message) }),
    interaction: message.interaction,
  };
}

function forwarded(value: unknown): unknown {
  const message = asObject<ApiMessage>(value);
  return message && { timestamp: message.timestamp, ...shownContent(message) };
}

function shownContent(message: Untrusted<ApiMessage>) {
  const shown = componentsIn(message.components, 0);
  const texts = shown.flatMap(({ type, content }) => (type === textDisplay ? asString(content) : undefined) ?? []);
  const files = [...asArray(message.attachments).map(exportedFile), ...filesIn(shown)];
  const said = [asString(message.content), ...texts, pollIn(message.poll)].filter(Boolean);
  // Buttons are shown where there is nothing else.
  const parts =
    said.length > 0 || files.length > 0 ? said : [listWords(message.components, /^placeholder$/).join('\n')];
  return {
    content: parts.join('\n\n'),
    attachments: files,
    embeds: asArray(message.embeds).map(exportedEmbed),
    stickers: asArray(message.sticker_items).map(exportedSticker),
    // If there is no text at all, the message says that it is made of them.
    components: said.length + files.length > 0 || parts[0] !== '' ? [] : message.components,
  };
}

const listsOfContent = ['attachments', 'embeds', 'sticker_items', 'components', 'message_snapshots'] as const;

const hasContent = (message: Untrusted<ApiMessage>): boolean =>
  asString(message.content) !== undefined ||
  listsOfContent.some((list) => asArray(message[list]).length > 0) ||
  [message.poll, message.activity].some((value) => asObject(value) !== undefined) ||
  hasFlag(message, loadingFlag);

const textDisplay = 10;
/** Discord nests three deep. */
const depthMax = 8;

/** Components at any depth, in the order in which they are shown. */
function componentsIn(components: unknown, depth: number): readonly Untrusted<ApiComponent>[] {
  if (depth > depthMax) return [];
  return asArray(components).flatMap((value) => {
    const component = asObject<ApiComponent>(value) ?? {};
    return [
      component,
      ...componentsIn(component.components, depth + 1),
      ...componentsIn([component.accessory], depth + 1),
    ];
  });
}

/** Pictures and files of components. */
function filesIn(components: readonly Untrusted<ApiComponent>[]): readonly unknown[] {
  const items = components.flatMap((component) => [component, ...asArray(component.items)]);
  return items.flatMap((item) => {
    const { media, file } = asObject<ApiComponent>(item) ?? {};
    const url = asString(asObject<ApiFile>(media ?? file)?.url);
    return url === undefined || !/^https?:/.test(url) ? [] : [{ url }];
  });
}

function pollIn(value: unknown): string | undefined {
  const poll = asObject<ApiPoll>(value);
  if (poll === undefined) return undefined;
  const counts = asArray(asObject<ApiPoll['results']>(poll.results)?.answer_counts).map((count) =>
    asObject<{ id: number; count: number }>(count),
  );
  const options = asArray(poll.answers).map((answer) => {
    const { answer_id: id, poll_media: media } = asObject<ApiPoll['answers'][number]>(answer) ?? {};
    const { text, emoji } = asObject<ApiPoll['answers'][number]['poll_media']>(media) ?? {};
    const words = [asString(asObject<{ name: string }>(emoji)?.name), asString(text)].filter(Boolean).join(' ');
    return { text: words, votes: asCount(counts.find((count) => count?.id === id)?.count) };
  });
  return pollText({ question: asString(asObject<ApiPoll['question']>(poll.question)?.text), options });
}

function exportedFile(value: unknown): unknown {
  const file = asObject<ApiFile>(value);
  return file && { id: file.id, url: file.url, fileName: file.filename, fileSizeBytes: file.size };
}

function exportedEmbed(value: unknown): unknown {
  const embed = asObject<ApiEmbed>(value);
  if (embed === undefined) return undefined;
  const author = asObject<ApiEmbed['author']>(embed.author);
  const footer = asObject<ApiEmbed['footer']>(embed.footer);
  const { title, url, description, timestamp, image, thumbnail, video, fields, color } = embed;
  const same = { title, url, description, timestamp, image, thumbnail, video, fields };
  return {
    ...same,
    ...(typeof color === 'number' && { color: `#${color.toString(16).toUpperCase().padStart(6, '0')}` }),
    ...(author && { author: { name: author.name, url: author.url, iconUrl: author.icon_url } }),
    ...(footer && { footer: { text: footer.text, iconUrl: footer.icon_url } }),
  };
}

const stickerFormats = ['', 'Png', 'Apng', 'Lottie', 'Gif'];
const stickerEndings = ['', 'png', 'png', 'json', 'gif'];

/** https://docs.discord.com/developers/reference#image-formatting (2026-11) */
function exportedSticker(value: unknown): unknown {
  const sticker = asObject<ApiSticker>(value);
  const id = asId(sticker?.id);
  const format = typeof sticker?.format_type === 'number' ? sticker.format_type : 0;
  const ending = stickerEndings[format];
  const host = format === 4 ? 'media.discordapp.net' : 'cdn.discordapp.com';
  const hasAddress = id !== undefined && /^\d{1,20}$/.test(id) && ending;
  return (
    sticker && {
      id: sticker.id,
      name: sticker.name,
      format: stickerFormats[format],
      ...(hasAddress && { sourceUrl: `https://${host}/stickers/${id}.${ending}` }),
    }
  );
}

/** A person of the API as the exporter writes them. The name to show is that on the server, if it is known. */
export function exportedUser(value: unknown, nick?: unknown): Untrusted<DiscordUser> | undefined {
  const user = asObject<ApiUser>(value);
  const id = asId(user?.id);
  if (user === undefined) return undefined;
  const picture = asString(user.avatar);
  const hasPicture = picture !== undefined && /^\w{1,80}$/.test(picture) && /^\d{1,20}$/.test(id ?? '');
  return {
    id,
    name: user.username,
    isBot: user.bot === true,
    discriminator: user.discriminator,
    nickname: asString(nick) ?? asString(user.global_name),
    ...(hasPicture && { avatarUrl: `https://cdn.discordapp.com/avatars/${id}/${picture}.png?size=512` }),
  };
}
