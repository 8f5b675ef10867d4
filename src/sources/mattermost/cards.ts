import { bold, markdownLink, quoted } from '../kit/markdown.ts';
import { asArray, asObject, asString } from '../kit/narrow.ts';
import type { MattermostCard } from './format.ts';
import type { TextContext } from './text.ts';

/** What a card shows that a text cannot. */
const details = ['color', 'thumb_url', 'author_icon', 'footer_icon', 'timestamp', 'ts'] as const;

/** The cards of an app (`props.attachments`) as Markdown, one below the other. */
export function cardsOf(values: unknown, context: Pick<TextContext, 'lose'>): string {
  return asArray(values)
    .map((value) => cardOf(asObject<MattermostCard>(value) ?? {}, context))
    .filter((text) => text !== '')
    .join('\n\n');
}

function cardOf(card: { readonly [K in keyof MattermostCard]?: unknown }, { lose }: Pick<TextContext, 'lose'>): string {
  const author = asString(card.author_name);
  const title = asString(card.title);
  const lines = [
    author && link(author, card.author_link),
    title && bold(link(title, card.title_link)),
    asString(card.text),
    ...asArray(card.fields).map(fieldOf),
    asString(card.image_url),
    asString(card.footer),
  ].filter((line) => line !== undefined && line !== '');
  for (const key of details) if ((card as Record<string, unknown>)[key]) lose('cardDetails');
  lose('menus', asArray(card.actions).length);
  const pretext = asString(card.pretext);
  if (lines.length === 0) return pretext ?? asString(card.fallback) ?? '';
  const body = quoted(lines.join('\n'));
  return pretext === undefined ? body : `${pretext}\n\n${body}`;
}

const link = (words: string, url: unknown): string => {
  const address = asString(url);
  return address === undefined ? words : markdownLink(address, words);
};

/** Values may be numbers. */
function fieldOf(value: unknown): string | undefined {
  const field = asObject<MattermostCard['fields'][number]>(value);
  const title = asString(field?.title);
  const says = field?.value === undefined || field.value === null ? '' : String(field.value);
  return [title && bold(title), says].filter(Boolean).join(': ') || undefined;
}
