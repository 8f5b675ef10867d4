import { formatCount } from '../../lib/text/count.ts';
import { asArray, asCount, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { TelegramMessage } from './format.ts';
import { wordsOf } from './text.ts';

type Row = Untrusted<TelegramMessage>;
type Poll = NonNullable<TelegramMessage['poll']>;

/** What a message holds beside its text and its files, in words; a line each. */
export function addContent(row: Row, lines: string[]): void {
  if (row.contact_information !== undefined) lines.push(contactOf(row));
  if (row.location_information !== undefined) lines.push(locationOf(row));
  if (row.poll !== undefined) lines.push(pollOf(row));
  if (row.todo_list !== undefined) lines.push(todoOf(row));
}

function contactOf(row: Row): string {
  const contact = asObject<NonNullable<TelegramMessage['contact_information']>>(row.contact_information) ?? {};
  const name = [contact.first_name, contact.last_name].map(asString).filter(Boolean).join(' ');
  return `Contact: ${[name, asString(contact.phone_number)].filter(Boolean).join(', ')}`;
}

function locationOf({ location_information: location, place_name: place, address }: Row): string {
  const { latitude, longitude } = asObject<NonNullable<TelegramMessage['location_information']>>(location) ?? {};
  const where = [place, address].map(asString).filter(Boolean).join(', ');
  return `Location: ${where === '' ? '' : `${where} `}(${asWord(latitude)}, ${asWord(longitude)})`;
}

function pollOf({ poll }: Row): string {
  const { question, closed, answers, total_voters: voters } = asObject<Poll>(poll) ?? {};
  const lines = asArray(answers).map((answer) => {
    const { text, voters: votes, chosen } = asObject<Poll['answers'][number]>(answer) ?? {};
    return `- ${wordsOf(text)} (${counted(votes, 'vote')}${chosen === true ? ', chosen' : ''})`;
  });
  const state = `${closed === true ? 'closed, ' : ''}${counted(voters, 'voter')}`;
  return [`Poll: ${wordsOf(question)} (${state})`, ...lines].join('\n');
}

const counted = (value: unknown, what: string): string => {
  const count = asCount(value) ?? 0;
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
};

function todoOf({ todo_list: list }: Row): string {
  const { title, answers } = asObject<NonNullable<TelegramMessage['todo_list']>>(list) ?? {};
  const tasks = asArray(answers).map((task) => `- ${wordsOf(asObject<{ text: unknown }>(task)?.text)}`);
  return [`List: ${wordsOf(title)}`, ...tasks].join('\n');
}

/** What a service message says, in words: `Ann created the group "Harbour" with Ben`. */
export function serviceText(row: Row, action: string): string {
  const actor = asString(row.actor) ?? 'Somebody';
  const title = asString(row.title);
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
