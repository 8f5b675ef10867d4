import type { Lose } from '../lost.ts';
import { bold, markdownLink, quoted } from './markdown.ts';
import { listWords } from './structure-words.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../narrow.ts';

/** A card as apps write it for Slack, Mattermost and Rocket.Chat: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments (2026-11) */
export interface Card {
  /** Shown only if the card has nothing else to show. */
  readonly fallback: string;
  readonly color: string;
  readonly pretext: string;
  readonly author_name: string;
  readonly author_link: string;
  readonly author_icon: string;
  readonly title: string;
  readonly title_link: string;
  readonly text: string;
  readonly fields: readonly { readonly title: string; readonly value: string; readonly short: boolean }[];
  readonly image_url: string;
  readonly thumb_url: string;
  readonly footer: string;
  readonly footer_icon: string;
  readonly timestamp: number;
  readonly ts: unknown;
  readonly actions: readonly unknown[];
}

/** Details of a card that a text cannot show. */
const details = ['color', 'thumb_url', 'author_icon', 'footer_icon', 'timestamp', 'ts'] as const;

/** The cards of an app as Markdown, one below the other. */
export function describeCards(values: unknown, lose: Lose): string {
  return asArray(values)
    .map((value) => describeCard(asObject<Card>(value) ?? {}, lose))
    .filter((text) => text !== '')
    .join('\n\n');
}

function describeCard(card: Untrusted<Card>, lose: Lose): string {
  const author = asString(card.author_name);
  const title = asString(card.title);
  const lines = [
    author && link(author, card.author_link),
    title && bold(link(title, card.title_link)),
    asString(card.text),
    ...asArray(card.fields).map(describeField),
    asString(card.image_url),
    asString(card.footer),
  ].filter((line) => line !== undefined && line !== '');
  for (const key of details) if (card[key]) lose('cardDetails');
  lose('menus', asArray(card.actions).length);
  const pretext = asString(card.pretext);
  if (lines.length === 0) return pretext ?? asString(card.fallback) ?? listWords(card.actions, /^name$/).join('\n');
  const body = quoted(lines.join('\n'));
  return pretext === undefined ? body : `${pretext}\n\n${body}`;
}

const link = (words: string, url: unknown): string => {
  const address = asString(url);
  return address === undefined ? words : markdownLink(address, words);
};

/** Values may be numbers. */
function describeField(value: unknown): string | undefined {
  const field = asObject<Card['fields'][number]>(value);
  const title = asString(field?.title);
  const says = field?.value === undefined || field.value === null ? '' : asWord(field.value);
  return [title && bold(title), says].filter(Boolean).join(': ') || undefined;
}
