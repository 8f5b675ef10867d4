import { blocksToMarkdown } from './blocks.ts';
import type { SlackAttachment, SlackFile } from './format.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { markdownLink } from './references.ts';
import type { BlockContext } from './rich-text.ts';
import { mrkdwnToMarkdown } from './text.ts';

type Card = Untrusted<SlackAttachment>;

/**
 * A link preview: Slack's rendering of a page whose address stands in the text anyway. A message that somebody shared
 * (`is_share`) is not one, though it looks like it: it is what they wanted to show.
 */
export const isPreview = (card: Card): boolean =>
  card.is_share !== true && (card.is_msg_unfurl === true || asString(card.from_url) !== undefined);

/** A bot's card, a preview or a shared message as readable text; quoted where it repeats a message. */
export function cardToMarkdown(card: Card, context: BlockContext): string {
  const text = cardText(card, context);
  return card.is_share === true || card.is_msg_unfurl === true ? text.replace(/^/gm, '> ') : text;
}

/** The card from top to bottom; its fallback only where nothing else is there to read. */
function cardText(card: Card, context: BlockContext): string {
  const parts = [
    mrkdwn(card.pretext, context),
    link(card.author_link, card.author_name),
    bold(link(card.title_link, mrkdwn(card.title, context))),
    mrkdwn(card.text, context),
    blocksToMarkdown(asArray(card.blocks), context),
    ...asArray(card.fields).map((field) => fieldText(field, context)),
    ...asArray(card.actions).map(action),
    asString(card.image_url) === undefined ? '' : link(card.image_url, 'image'),
    italic(mrkdwn(card.footer, context)),
  ].filter(Boolean);
  if (parts.length > 0) return parts.join('\n');
  const hasFiles = asArray(card.files).some((file) => asObject<SlackFile>(file) !== undefined);
  return hasFiles ? '' : mrkdwn(card.fallback, context);
}

const mrkdwn = (value: unknown, context: BlockContext) => mrkdwnToMarkdown(asString(value) ?? '', context);

function link(url: unknown, words: unknown): string {
  const label = asString(words);
  const address = asString(url);
  return label !== undefined && address !== undefined ? markdownLink(address, label) : (label ?? '');
}

const bold = (text: string) => (text === '' || text.includes('**') ? text : `**${text}**`);
const italic = (text: string) => (text === '' || text.includes('_') ? text : `_${text}_`);

function fieldText(value: unknown, context: BlockContext): string {
  const field = asObject<SlackAttachment['fields'][number]>(value);
  const title = mrkdwn(field?.title, context);
  const text = mrkdwn(field?.value, context);
  return title === '' ? text : `${bold(title)}: ${text}`;
}

function action(value: unknown): string {
  const button = asObject<SlackAttachment['actions'][number]>(value);
  const text = asString(button?.text);
  if (text === undefined) return '';
  return asString(button?.url) === undefined ? `[${text}]` : link(button?.url, text);
}
