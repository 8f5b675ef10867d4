import { trimEnd } from '../../lib/plain-text.ts';
import { blocksToMarkdown, hasRichText, isPlainCopy } from './blocks.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './format.ts';
import { cardToMarkdown, isPreview } from './legacy-attachments.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { RowContext } from './row-context.ts';
import type { SubtypeRule } from './subtypes.ts';
import { mrkdwnToMarkdown } from './text.ts';

type Message = Untrusted<SlackMessage>;

/** The words of a message, cards included. */
export function textOf(message: Message, rule: SubtypeRule, hasFiles: boolean, context: RowContext): string {
  const text = wordsOf(message, rule, context);
  const cards = asArray(message.attachments);
  const whole = cards.length === 0 ? text : withCards(text, cards, hasFiles, context);
  if (rule === 'action' && whole !== '') return `_${whole}_`;
  if (rule === 'call' && whole === '') return message.subtype === 'huddle_thread' ? 'Huddle' : 'Call';
  return whole;
}

function wordsOf(message: Message, rule: SubtypeRule, context: RowContext): string {
  if (rule === 'file-comment' || rule === 'file-share') {
    const words = fileWords(message, rule);
    if (words !== undefined) return mrkdwnToMarkdown(words, context);
  }
  const blocks = asArray(message.blocks);
  return blocks.length === 0 ? mrkdwnToMarkdown(context.fallbackText, context) : blockWords(message, blocks, context);
}

/**
 * What a person wrote with or about a file. In `text` Slack put a sentence of its own around it
 * (`<@U1|ada> uploaded a file: <…|plan.png> and commented: …`), which the attachment makes needless.
 */
function fileWords(message: Message, rule: SubtypeRule): string | undefined {
  if (rule === 'file-comment') return withoutReturns(asObject<SlackMessage['comment']>(message.comment)?.comment);
  const file = asObject<SlackFile>(message.file);
  if (!file || !asString(message.text)?.startsWith(`<@${message.user}`)) return undefined;
  return withoutReturns(asObject<SlackFile['initial_comment']>(file.initial_comment)?.comment) ?? '';
}

const withoutReturns = (text: unknown) => asString(text)?.replaceAll('\r\n', '\n');

/** Blocks say more than `text`, which is what notifications show: for people's rich text, for bots, and where `text` is empty. */
function blockWords(message: Message, blocks: readonly unknown[], context: RowContext): string {
  const text = context.fallbackText;
  const isBot = asString(message.bot_id) !== undefined || message.subtype === 'bot_message';
  const saysMore = text === '' || isBot || hasRichText(blocks);
  if (!saysMore || isPlainCopy(blocks, text)) return mrkdwnToMarkdown(text, context);
  const markdown = trimEnd(blocksToMarkdown(blocks, context), '\n');
  const isComplete = markdown !== '' && context.unknownTypes.length === 0;
  if (isComplete || text === '') {
    reportUnknownTypes(context);
    return markdown;
  }
  context.mentions.length = 0;
  context.unknownTypes.length = 0;
  return mrkdwnToMarkdown(text, context);
}

function reportUnknownTypes({ unknownTypes, problems }: RowContext): void {
  for (const type of new Set(unknownTypes)) {
    problems.push({
      code: 'unknown-block',
      reason: `Block type "${type}" is not known: some of the text may be missing`,
    });
  }
  unknownTypes.length = 0;
}

/** Cards follow the text. Previews of links do so only on request, or where the message says nothing else. */
function withCards(text: string, values: readonly unknown[], hasFiles: boolean, context: RowContext): string {
  const cards = values.map((value) => asObject<SlackAttachment>(value)).filter((card) => card !== undefined);
  const shown = context.includeUnfurls ? cards : cards.filter((card) => !isPreview(card));
  const needsPreviews = text === '' && !hasFiles && shown.length === 0;
  const parts = (needsPreviews ? cards : shown).map((card) => cardToMarkdown(card, context));
  context.previewsLeftOut = cards.length - parts.length;
  reportUnknownTypes(context);
  return [text, ...parts].filter(Boolean).join('\n\n');
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
