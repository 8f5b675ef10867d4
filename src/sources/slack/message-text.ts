import { trimEnd } from '../../lib/text/plain-text.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import { blocksToMarkdown, hasAddresses, hasRichText, isPlainCopy } from './blocks.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './format.ts';
import { bold, italic, quoted, withStyle } from '../kit/text/markdown.ts';
import { linkTo } from './references.ts';
import type { BlockContext } from './rich-text.ts';
import { isSurvey } from './files.ts';
import type { Row } from './row.ts';
import type { SubtypeRule } from './subtypes.ts';
import { mrkdwnToMarkdown, plainToMarkdown } from './text.ts';

type Message = Untrusted<SlackMessage>;

/** The words of a message, cards included. */
export function slackText(row: Row, hasFiles: boolean): string {
  const { message, rule } = row;
  const text = writeText(row);
  const cards = asArray(message.attachments);
  const whole = cards.length === 0 ? text : withCards(text, cards, hasFiles, row);
  const mails = message.files === undefined ? noMails : mailsIn(message);
  if (mails.length > 0) return [whole, ...mails.map((mail) => plainToMarkdown(mail, row))].filter(Boolean).join('\n\n');
  if (rule === 'action' && whole !== '') return withStyle(whole, { italic: true });
  if (rule === 'call' && whole === '') return message.subtype === 'huddle_thread' ? 'Huddle' : 'Call';
  return whole;
}

const noMails: readonly string[] = [];

/** Mails that came into the conversation: each is a file that has its words. */
const mailsIn = ({ files }: Message): readonly string[] =>
  asArray(files).flatMap((file) => asString(asObject<SlackFile>(file)?.plain_text) ?? []);

function writeText(row: Row): string {
  const { message, rule } = row;
  if (rule === 'file-comment' || rule === 'file-share') {
    const words = fileWords(message, rule);
    if (words !== undefined) return mrkdwnToMarkdown(words, row);
  }
  const blocks = asArray(message.blocks);
  return blocks.length === 0 ? mrkdwnToMarkdown(row.fallbackText, row) : blockWords(row, blocks);
}

/**
 * Returns the text that a person wrote with or about a file. In `text` Slack put a sentence of its own around it
 * (`<@U1|ada> uploaded a file: <…|plan.png> and commented: …`), which is redundant because of the attachment.
 */
function fileWords(message: Message, rule: SubtypeRule): string | undefined {
  if (rule === 'file-comment') return withoutReturns(asObject<SlackMessage['comment']>(message.comment)?.comment);
  const file = asObject<SlackFile>(message.file);
  if (!file || !asString(message.text)?.startsWith(`<@${asWord(message.user)}`)) return undefined;
  return withoutReturns(asObject<SlackFile['initial_comment']>(file.initial_comment)?.comment) ?? '';
}

const withoutReturns = (text: unknown) => asString(text)?.replaceAll('\r\n', '\n');

/** Blocks say more than `text`, which is what notifications show: for people's rich text, for bots, and where `text` is empty. */
function blockWords(row: Row, blocks: readonly unknown[]): string {
  const { message, fallbackText: text } = row;
  const isBot = asString(message.bot_id) !== undefined || message.subtype === 'bot_message';
  const saysMore = text === '' || isBot || hasRichText(blocks) || hasAddresses(blocks);
  if (!saysMore || isPlainCopy(blocks, text)) return mrkdwnToMarkdown(text, row);
  const markdown = trimEnd(blocksToMarkdown(blocks, row), '\n');
  const isComplete = markdown !== '' && row.unknownTypes.length === 0;
  if (isComplete || text === '') {
    noteUnknownTypes(row);
    return markdown;
  }
  row.mentions.length = 0;
  row.lost = undefined;
  row.links = undefined;
  row.unknownTypes.length = 0;
  return mrkdwnToMarkdown(text, row);
}

function noteUnknownTypes(row: Row): void {
  if (row.unknownTypes.length === 0) return;
  for (const type of new Set(row.unknownTypes)) {
    row.note('unknown-block', `Block type "${type}" is not known: some of the text may be missing`);
  }
  row.unknownTypes.length = 0;
}

/** Appends cards to the text. Previews of links are included only on request, or if the message has nothing else. */
function withCards(text: string, values: readonly unknown[], hasFiles: boolean, row: Row): string {
  const cards = values.map((value) => asObject<SlackAttachment>(value)).filter((card) => card !== undefined);
  const shown = row.workspace.includeUnfurls ? cards : cards.filter((card) => !isSurvey(card));
  const needsPreviews = text === '' && !hasFiles && shown.length === 0;
  const parts = (needsPreviews ? cards : shown).map((card) => cardToMarkdown(card, row));
  row.lose('previews', cards.length - parts.length);
  for (const card of shown) noteShared(card, row);
  noteUnknownTypes(row);
  return [text, ...parts].filter(Boolean).join('\n\n');
}

/** A shared message of another conversation: that of its own is quoted. */
function noteShared(card: Card, row: Row): void {
  const [url, conversation, id] = [asString(card.from_url), asString(card.channel_id), asString(card.ts)];
  const isComplete = url !== undefined && conversation !== undefined && id !== undefined;
  if (isComplete && conversation !== row.conversation.id) row.noteLink({ url, conversation, id });
}

/** The message of this conversation that a message shares, or that a pin is about. */
export function quotedIn(cards: readonly unknown[], conversationId: string): string | undefined {
  for (const value of cards) {
    const card = asObject<SlackAttachment>(value);
    const isMessage = card?.is_msg_unfurl === true || card?.is_share === true;
    if (isMessage && card.channel_id === conversationId) return asString(card.ts);
  }
  return undefined;
}

type Card = Untrusted<SlackAttachment>;

/** Details that cards show and texts do not. */
const cardDetails = [
  ...(['thumb_url', 'color', 'footer_icon', 'author_icon', 'author_subname', 'service_icon'] as const),
  ...(['video_url', 'video_html'] as const),
];

/** A bot's card, a preview or a shared message as readable text; quoted where it repeats a message. */
function cardToMarkdown(card: Card, context: BlockContext): string {
  const isMessage = card.is_share === true || card.is_msg_unfurl === true;
  const isLost = (detail: keyof Card) => card[detail] !== undefined && card[detail] !== null;
  // The time of a shared message is in that message.
  if (cardDetails.some(isLost) || (!isMessage && isLost('ts'))) context.lose('cardDetails');
  const text = cardText(card, context);
  return isMessage ? quoted(text) : text;
}

/** Returns the card from top to bottom; its fallback only if there is nothing else to read. */
function cardText(card: Card, context: BlockContext): string {
  const parts = [
    mrkdwn(card.pretext, context),
    link(card.author_link, card.author_name, context),
    bold(link(card.title_link, mrkdwn(card.title, context), context)),
    mrkdwn(card.text, context) || sharedWords(card, context),
    blocksToMarkdown(asArray(card.blocks), context),
    ...asArray(card.fields).map((field) => fieldText(field, context)),
    ...asArray(card.actions).map((button) => action(button, context)),
    asString(card.image_url) === undefined ? '' : link(card.image_url, 'image', context),
    italic(mrkdwn(card.footer, context)),
  ].filter(Boolean);
  if (parts.length > 0) return parts.join('\n');
  const hasFiles = asArray(card.files).some((file) => asObject<SlackFile>(file) !== undefined);
  return hasFiles ? '' : mrkdwn(card.fallback, context);
}

/** The words of a shared message that has them in its blocks alone. */
const sharedWords = ({ message_blocks }: Card, context: BlockContext): string =>
  asArray(message_blocks)
    .map((value) => asObject<{ blocks: unknown }>(asObject<{ message: unknown }>(value)?.message)?.blocks)
    .map((blocks) => blocksToMarkdown(asArray(blocks), context))
    .filter(Boolean)
    .join('\n');

const mrkdwn = (value: unknown, context: BlockContext) => mrkdwnToMarkdown(asString(value) ?? '', context);

function link(url: unknown, words: unknown, context: BlockContext): string {
  const label = asString(words);
  const address = asString(url);
  return label !== undefined && address !== undefined ? linkTo(address, label, context) : (label ?? '');
}

function fieldText(value: unknown, context: BlockContext): string {
  const field = asObject<SlackAttachment['fields'][number]>(value);
  const title = mrkdwn(field?.title, context);
  const text = mrkdwn(field?.value, context);
  return title === '' ? text : `${bold(title)}: ${text}`;
}

function action(value: unknown, context: BlockContext): string {
  const button = asObject<SlackAttachment['actions'][number]>(value);
  const text = asString(button?.text);
  if (button?.type === 'select') context.lose('menus');
  if (text === undefined) return '';
  return asString(button?.url) === undefined ? `[${text}]` : link(button?.url, text, context);
}
