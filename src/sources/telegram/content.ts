import { formatCount } from '../../lib/text/count.ts';
import { asArray, asCount, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { TelegramMessage } from './format.ts';
import { personId } from './format.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { plainWords } from './text.ts';

type Row = Untrusted<TelegramMessage>;
type Poll = NonNullable<TelegramMessage['poll']>;

/** Adds the content of a message other than its text and files, as words, one line each. */
export function addContent(row: Row, lines: string[]): void {
  if (row.contact_information !== undefined) lines.push(describeContact(row));
  if (row.location_information !== undefined) lines.push(describeLocation(row));
  if (row.poll !== undefined) lines.push(describePoll(row));
  if (row.todo_list !== undefined) lines.push(describeTodo(row));
  if (row.giveaway_information !== undefined) lines.push(describeGiveaway(row));
  if (row.giveaway_results !== undefined) lines.push(describeGiveawayResults(row));
  if (row.invoice_information !== undefined) lines.push(describeInvoice(row));
  if (row.game_title !== undefined || row.game_link !== undefined) lines.push(describeGame(row));
  if (row.story_id !== undefined) lines.push(['Story', asString(row.story_from)].filter(Boolean).join(' of '));
  if (row.gift_text !== undefined) lines.push(plainWords(row.gift_text));
  if (row.paid_stars_amount !== undefined) lines.push(`Paid media (${counted(row.paid_stars_amount, 'star')})`);
}

function describeGiveaway({ giveaway_information: giveaway }: Row): string {
  const facts = asObject<NonNullable<TelegramMessage['giveaway_information']>>(giveaway) ?? {};
  const { quantity, months, stars, until_date: until, additional_prize: prize } = facts;
  const prizes = [
    asCount(months) ? `${counted(months, 'month')} of Premium` : undefined,
    asCount(stars) ? counted(stars, 'star') : undefined,
    asString(prize),
  ].filter((one) => one !== undefined);
  const end = asString(until);
  return [`Giveaway: ${counted(quantity, 'prize')}`, ...prizes, ...(end === undefined ? [] : [`until ${end}`])].join(
    ', ',
  );
}

function describeGiveawayResults({ giveaway_results: results }: Row): string {
  const facts = asObject<NonNullable<TelegramMessage['giveaway_results']>>(results) ?? {};
  const winners = asArray(facts.winners).map((id) => personId(id) ?? asWord(id));
  const unclaimed = asCount(facts.unclaimed_count) ?? 0;
  const said = [
    `Results of a giveaway: ${counted(facts.winners_count ?? winners.length, 'winner')}${winners.length > 0 ? ` (${winners.join(', ')})` : ''}`,
    asString(facts.additional_prize),
    unclaimed > 0 ? `${formatCount(unclaimed)} unclaimed` : undefined,
  ];
  return said.filter((one) => one !== undefined).join(', ');
}

function describeInvoice({ invoice_information: invoice }: Row): string {
  const facts = asObject<NonNullable<TelegramMessage['invoice_information']>>(invoice) ?? {};
  const what = [facts.title, facts.description].map(asString).filter(Boolean).join(', ');
  return `Invoice: ${[what, describeAmount(facts.amount, asString(facts.currency) ?? '')].filter(Boolean).join(', ')}`;
}

/** Currencies by their digits behind the point, where these are not two: ISO 4217, and Telegram's stars (XTR). */
const digitsOf: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF XTR'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** 2500 of EUR as `25.00 EUR`. */
function describeAmount(amount: unknown, currency: string): string {
  const count = asCount(amount);
  if (count === undefined) return currency;
  const digits = /^[A-Z]{3}$/.test(currency) ? (digitsOf.get(currency) ?? 2) : 0;
  return `${(count / 10 ** digits).toFixed(digits)} ${currency}`.trim();
}

function describeGame({ game_title: title, game_description: description, game_link: link }: Row): string {
  const address = asString(link);
  const name = address === undefined ? (asString(title) ?? '') : markdownLink(address, asString(title));
  return [`Game: ${name}`, asString(description)].filter(Boolean).join('\n');
}

/** Buttons under a message: a line for each that opens an address. @returns how many do something else. */
export function addButtons(row: Row, lines: string[]): number {
  let others = 0;
  for (const value of asArray(row.inline_bot_buttons).flatMap(asArray)) {
    const { text, data } = asObject<{ text: unknown; data: unknown }>(value) ?? {};
    const address = asString(data);
    if (address !== undefined && /^(?:https?|tg|mailto):\S+$/i.test(address))
      lines.push(markdownLink(address, asString(text)));
    else others += 1;
  }
  return others;
}

/** Keys under which something is said in words. */
const wordKeys = /^(?:text|title|name|question|description|caption)$/i;
const wordsMax = 50;

/**
 * Returns text for content of a kind that is newer than this program: the kind, and words that the export has about it.
 *
 * @param keys Those of the row that nothing reads.
 * @returns undefined for a message that holds nothing.
 */
export function unknownContent(row: Row, keys: readonly string[]): string | undefined {
  const fields = row as Readonly<Record<string, unknown>>;
  const holders = keys.filter((key) => !aboutMessage.has(key));
  const kind = asString(fields.media_type) ?? holders[0];
  if (kind === undefined) return undefined;
  const words: string[] = [];
  for (const key of holders) addWords(key, fields[key], words);
  const name = kind.replaceAll('_', ' ');
  const shown = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return words.length === 0 ? shown : `${shown}: ${words.join(', ')}`;
}

function addWords(key: string, value: unknown, words: string[]): void {
  if (words.length >= wordsMax) return;
  if (typeof value === 'string' && value !== '' && wordKeys.test(key)) words.push(value);
  else if (Array.isArray(value)) for (const part of value) addWords(key, part, words);
  else if (typeof value === 'object' && value !== null)
    for (const [inner, part] of Object.entries(value)) addWords(inner, part, words);
}

/** Fields that say something about a message, and are nothing in it. */
const aboutMessage: ReadonlySet<string> = new Set([
  ...['via_bot', 'author', 'saved_from', 'forwarded_from_id', 'forwarded_date', 'reply_to_peer_id', 'media_type'],
  ...['width', 'height', 'duration_seconds', 'media_spoiler', 'self_destruct_period_seconds', 'message_id'],
]);

function describeContact(row: Row): string {
  const contact = asObject<NonNullable<TelegramMessage['contact_information']>>(row.contact_information) ?? {};
  const name = [contact.first_name, contact.last_name].map(asString).filter(Boolean).join(' ');
  return `Contact: ${[name, asString(contact.phone_number)].filter(Boolean).join(', ')}`;
}

function describeLocation({ location_information: location, place_name: place, address }: Row): string {
  const { latitude, longitude } = asObject<NonNullable<TelegramMessage['location_information']>>(location) ?? {};
  const where = [place, address].map(asString).filter(Boolean).join(', ');
  return `Location: ${where === '' ? '' : `${where} `}(${asWord(latitude)}, ${asWord(longitude)})`;
}

function describePoll({ poll }: Row): string {
  const { question, closed, answers, total_voters: voters } = asObject<Poll>(poll) ?? {};
  const lines = asArray(answers).map((answer) => {
    const { text, voters: votes, chosen } = asObject<Poll['answers'][number]>(answer) ?? {};
    return `- ${plainWords(text)} (${counted(votes, 'vote')}${chosen === true ? ', chosen' : ''})`;
  });
  const state = `${closed === true ? 'closed, ' : ''}${counted(voters, 'voter')}`;
  return [`Poll: ${plainWords(question)} (${state})`, ...lines].join('\n');
}

const counted = (value: unknown, what: string): string => {
  const count = asCount(value) ?? 0;
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
};

function describeTodo({ todo_list: list }: Row): string {
  const { title, answers } = asObject<NonNullable<TelegramMessage['todo_list']>>(list) ?? {};
  const tasks = asArray(answers).map((task) => `- ${plainWords(asObject<{ text: unknown }>(task)?.text)}`);
  return [`List: ${plainWords(title)}`, ...tasks].join('\n');
}

/** Returns the text of a service message: `Ann created the group "Harbour" with Ben`. */
export function serviceText(row: Row, action: string): string {
  const actor = asString(row.actor) ?? 'Somebody';
  const title = asString(row.title) ?? asString(row.new_title);
  const named = title === undefined ? '' : ` "${title}"`;
  const members = asArray(row.members).map((name) => asString(name) ?? 'a deleted account');
  const said = sentences[action]?.(named, members.join(', '));
  if (said !== undefined) return `${actor} ${said}`;
  return `${actor}: ${action.replaceAll('_', ' ')}${named}${members.length > 0 ? ` (${members.join(', ')})` : ''}`;
}

const sentences: Readonly<Record<string, (title: string, members: string) => string>> = {
  create_group: (title, members) => `created the group${title}${members && ` with ${members}`}`,
  create_channel: (title) => `created the channel${title}`,
  topic_created: (title) => `created the topic${title}`,
  edit_group_title: (title) => `changed the title to${title}`,
  edit_group_photo: () => 'changed the photo',
  delete_group_photo: () => 'removed the photo',
  invite_members: (_, members) => `invited ${members}`,
  remove_members: (_, members) => `removed ${members}`,
  join_group_by_link: () => 'joined by a link',
  join_group_by_request: () => 'was let in',
  migrate_to_supergroup: () => 'made the group a supergroup',
  migrate_from_group: (title) => `goes on from the group${title}`,
  pin_message: () => 'pinned a message',
  clear_history: () => 'cleared the history',
  phone_call: () => 'called',
  group_call: () => 'began a call',
  conference_call: () => 'began a call',
  invite_to_group_call: (_, members) => `invited ${members} to a call`,
  take_screenshot: () => 'took a screenshot',
  joined_telegram: () => 'joined Telegram',
};

export const callActions: ReadonlySet<string> = new Set(['phone_call', 'group_call', 'conference_call']);
