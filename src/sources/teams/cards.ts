import type { Attachment } from '../../model/records.ts';
import { asArray, asString, asWord } from '../kit/narrow.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { Fields } from './format.ts';
import type { Row } from './row.ts';
import { teamsText } from './text.ts';

/**
 * Cards of apps: hero and thumbnail cards, cards of connectors and adaptive cards, which put the same things under different keys
 * (https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-reference, 2026-11).
 */

/** Keys whose text is shown. */
const wordKeys: ReadonlySet<string> = new Set([
  ...['title', 'subtitle', 'text', 'value', 'question', 'pollquestion', 'options', 'choices', 'alttext'],
  ...['activitytitle', 'activitysubtitle', 'activitytext', 'label'],
]);

/** Text that is shown when there is no other. */
const insteadKeys = ['summary', 'fallbackText', 'speak', 'name'] as const;

/** Keys for the format and layout of a card, which are not needed. */
const isForm =
  /^(?:@?type|@?context|version|\$schema|size|weight|color|spacing|separator|style|width|height|wrap|isSubtle|horizontalAlignment|verticalContentAlignment)$/i;

const isActions = /^(?:actions|buttons|potentialAction|selectAction|tap|inlineAction)$/i;

/** How deep and how many words are looked for. */
const depthMax = 20;
const wordsMax = 200;

/** Returns the text of a card, one line for each piece. Counts what is not shown, including buttons. */
export function describeCard(card: Fields, row: Row): readonly string[] {
  const words: string[] = [];
  collectWords(card, words, row, 0);
  if (words.length > 0) return words;
  return insteadKeys.flatMap((key) => asString(card.get(key)) ?? []).slice(0, 1);
}

function collectWords(card: Fields, words: string[], row: Row, depth: number): void {
  const fact = describeFact(card);
  if (fact !== undefined) {
    words.push(fact);
    return;
  }
  if (/^Input\./.test(asString(card.get('type')) ?? '')) {
    addInput(card, words, row);
    return;
  }
  for (const key of card.keys()) {
    if (depth > depthMax || words.length >= wordsMax) {
      row.lose('appData');
      return;
    }
    const value = card.get(key.slice(0, 1).toLowerCase() + key.slice(1));
    if (isActions.test(key)) for (const action of asList(value)) addAction(new Fields(action), words, row, depth);
    else if (Array.isArray(value)) for (const part of value) collectPart(key, part, words, row, depth);
    else collectPart(key, value, words, row, depth);
  }
}

function collectPart(key: string, value: unknown, words: string[], row: Row, depth: number): void {
  if (typeof value === 'object' && value !== null) {
    if (/^media$|^sources$/i.test(key)) addMedia(new Fields(value), row);
    else collectWords(new Fields(value), words, row, depth + 1);
  } else if (wordKeys.has(key.toLowerCase()) && (typeof value === 'string' || typeof value === 'number')) {
    if (value !== '') words.push(teamsText(String(value), row));
  } else if (value && !isForm.test(key) && !insteadKeys.some((one) => one === key)) row.lose('cardDetails');
}

/** `{ "name": "Branch", "value": "main" }`, with `title` in adaptive cards; nothing else has two fields like these alone. */
function describeFact(card: Fields): string | undefined {
  const keys = card.keys().filter((key) => card.get(key) !== undefined);
  if (keys.length !== 2 || !keys.some((key) => /^value$/i.test(key))) return undefined;
  const name = asString(card.get('name')) ?? asString(card.get('title'));
  return name === undefined ? undefined : `${name.trimEnd().replace(/:$/, '').trimEnd()}: ${asWord(card.get('value'))}`;
}

/** A field to fill in: what it asks, what can be chosen, what is filled in. */
function addInput(input: Fields, words: string[], row: Row): void {
  row.lose('menus');
  const asked = asString(input.get('label')) ?? asString(input.get('title')) ?? asString(input.get('placeholder'));
  const value = input.get('value');
  const choices = asArray(input.get('choices')).map((choice) => new Fields(choice));
  const chosen = asString(value)?.split(',') ?? [];
  if (asked !== undefined) words.push(asked);
  for (const choice of choices) {
    const mark = chosen.includes(asWord(choice.get('value'))) ? ' (chosen)' : '';
    words.push(`- ${asString(choice.get('title')) ?? asWord(choice.get('value'))}${mark}`);
  }
  if (choices.length === 0 && (typeof value === 'string' || typeof value === 'number') && value !== '')
    words.push(String(value));
}

/** Adds a button: as a link if it opens an address, otherwise only counted. A card that it would show is searched for text. */
function addAction(action: Fields, words: string[], row: Row, depth: number): void {
  const targets = asArray(action.get('targets')).map((target) => new Fields(target).get('uri'));
  const address = [action.get('url'), action.get('uri'), ...targets, action.get('value')]
    .map(asString)
    .find((url) => url !== undefined && /^[a-z][a-z\d+.-]*:\S/i.test(url));
  const title = asString(action.get('title')) ?? asString(action.get('name'));
  if (address !== undefined) words.push(markdownLink(address, title));
  else {
    row.lose('menus');
    if (title === undefined && typeof action.get('card') !== 'object') return;
  }
  const shown = action.get('card');
  if (typeof shown === 'object' && shown !== null) collectWords(new Fields(shown), words, row, depth + 1);
}

/** A sound or film of a card. */
function addMedia(media: Fields, row: Row): void {
  const url = asString(media.get('url'));
  const mimeType = asString(media.get('mimeType'));
  if (url !== undefined) addFileAt(url, { name: mimeType?.split('/')[0] ?? 'media', mimeType }, row);
}

/** A file at an address that the text names; those in Graph want a token. */
export function addFileAt(url: string, about: Attachment, row: Row): void {
  const isClosed = /^https:\/\/graph\.microsoft\.com\//i.test(url) || !/^https?:\/\//i.test(url);
  row.files.push({ ...about, ...(isClosed ? { unavailable: 'access-denied' } : { url }) });
  if (isClosed) row.lose('oldLinks');
}

const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
