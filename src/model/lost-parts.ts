/**
 * Parts of a message that a source could not migrate: neither the model nor its text holds them. A record counts its
 * own (`lost`), and the report has a row for each (`docs/understand/losses.md`).
 */
export const lostParts = [
  /** Previews of links that the text does not show. */
  'previews',
  /** Pieces of text that are underlined: Markdown has no mark for it. */
  'underlines',
  /** Pieces of text whose style Markdown cannot show in that position, such as inside a word. */
  'styles',
  /** Emoji in the text that are pictures of the old system. */
  'emojiInText',
  /** 1 if the text means something in Markdown that was not intended. */
  'accidentalMarkup',
  /** People, groups and conversations that the text names by their id. */
  'unnamed',
  /** Addresses in the text that lead into the old system. */
  'oldLinks',
  /** 1 where an app attached data of its own. */
  'appData',
  /** Menus, fields and dates to choose from. */
  'menus',
  /** Times, colours, icons and small pictures of cards. */
  'cardDetails',
  /** Beginnings of files that are text. */
  'snippets',
  'fileTokens',
  /** 1 if the text is encrypted: only the people who talked can read it. */
  'encrypted',
] as const;
export type LostPart = (typeof lostParts)[number];
