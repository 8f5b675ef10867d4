import { bold, markdownLink } from '../kit/text/markdown.ts';
import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { addFile } from './files.ts';
import type { DiscordEmbed } from './format.ts';
import type { Row } from './row.ts';
import { discordText } from './text.ts';

/**
 * Returns the cards of a message as Markdown. Their pictures become files. Previews, which Discord makes of the
 * addresses in a text, are only counted, because the addresses are in the text.
 *
 * @param isByApp People cannot make cards: their cards are previews, unless the message has nothing else.
 */
export function describeEmbeds(
  embeds: unknown,
  { content, isByApp }: { content: string; isByApp: boolean },
  row: Row,
): string[] {
  const cards: string[] = [];
  for (const value of asArray(embeds)) {
    const embed = asObject<DiscordEmbed>(value);
    if (!embed) continue;
    const url = asString(embed.url);
    const isSurvey = content !== '' && (!isByApp || (url !== undefined && content.includes(url)));
    if (isSurvey) row.lose('previews');
    else cards.push(describeEmbed(embed, row));
  }
  return cards.filter((card) => card !== '');
}

type Part = Untrusted<{
  readonly name: string;
  readonly url: string;
  readonly iconUrl: string;
  readonly text: string;
  readonly value: string;
}>;
const partOf = (value: unknown): Part => asObject<Required<{ [Key in keyof Part]: string }>>(value) ?? {};

function describeEmbed(embed: Untrusted<DiscordEmbed>, row: Row): string {
  const author = partOf(embed.author);
  const footer = partOf(embed.footer);
  const title = asString(embed.title);
  const description = asString(embed.description);
  const fields = asArray(embed.fields).map(partOf);
  addPictures(embed, row);
  const details = [author.iconUrl, footer.iconUrl, partOf(embed.thumbnail).url, embed.color, embed.timestamp];
  const detailCount = details.filter((detail) => asString(detail) !== undefined).length;
  if (detailCount > 0) row.lose('cardDetails', detailCount);
  return [
    linked(asString(author.name), asString(author.url)),
    title === undefined ? asString(embed.url) : bold(linked(discordText(title, row), asString(embed.url))!),
    description && discordText(description, row),
    ...fields.map(({ name, value }) =>
      [asString(name), asString(value)]
        .map((words, at) => words && (at === 0 ? bold(words) : discordText(words, row)))
        .filter(Boolean)
        .join('\n'),
    ),
    asString(footer.text),
  ]
    .filter(Boolean)
    .join('\n');
}

const linked = (words: string | undefined, url: string | undefined): string | undefined =>
  words === undefined || url === undefined ? words : markdownLink(url, words);

function addPictures(embed: Untrusted<DiscordEmbed>, row: Row): void {
  const pictures = new Set([embed.image, ...asArray(embed.images)].map((value) => asString(partOf(value).url)));
  // A film may be the page of its player.
  const film = asString(partOf(embed.video).url);
  for (const url of pictures) if (url !== undefined) addFile({ url }, row, 'image');
  if (film !== undefined && !pictures.has(film)) addFile({ url: film }, row);
}
