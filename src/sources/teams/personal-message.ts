import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { MessageRecord, UserRecord } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { type ElementText, htmlToMarkdown } from '../kit/html-to-markdown.ts';
import { asArray, asId, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { Fields, type PersonalMessage } from './format.ts';
import { emojiOfReaction, timeOf } from './message.ts';
import { Row } from './row.ts';

export const personOf = (id: string, name: string): UserRecord => ({
  kind: 'user',
  id,
  name,
  ...(id.startsWith('28:') && { isBot: true }),
});

/** A row of a personal export as a message. */
export function readPersonal(
  message: Untrusted<PersonalMessage>,
  context: { readonly workspace: string; readonly conversation: string | undefined },
): { readonly record: NewMessage; readonly media: string | undefined } | RowProblem {
  const conversation = context.conversation ?? asString(message.conversationid);
  const id = asId(message.id);
  if (conversation === undefined || id === undefined) {
    const reason = `Expected "id" and "conversationid", found ${id === undefined ? 'no id' : 'no conversation'}`;
    return { code: 'teams-no-conversation', reason };
  }
  const sentAtMs = timeOf(message.originalarrivaltime);
  if (sentAtMs === undefined) {
    const reason = `Expected "originalarrivaltime", found ${describe(message.originalarrivaltime)}`;
    return { code: 'teams-bad-time', reason };
  }
  const origin = { source: 'teams', workspace: context.workspace, conversation, id };
  const record = newMessage({ origin, sortKey: id, sentAtMs, text: '' });
  const row = new Row();
  const type = asString(message.messagetype) ?? '';
  const content = asString(message.content) ?? '';
  record.text = type === 'Text' ? content : contentOf(content, row);
  const from = asString(message.from);
  if (from !== undefined && !from.startsWith('19:')) record.author = from;
  addKind(type, content, record);
  addProperties(new Fields(message.properties), record, content);
  if (!known.test(type)) record.custom = { messagetype: type };
  if (row.mentions.length > 0) record.mentions = row.mentions;
  if (row.files.length > 0) record.attachments = row.files;
  if (row.lost) record.lost = row.lost;
  const media = row.files[0]?.id ?? asString(asArray(message.amsreferences)[0]);
  return { record, media };
}

/** Types whose content says all that the type does. */
const known = /^(?:Text|RichText|RichText\/(?:UriObject|Media_\w{1,40}|Html)|Event\/Call|ThreadActivity\/\w{1,60})$/;

/** Skype's own elements; of a quotation what repeats its head is left out. */
function contentOf(content: string, row: Row): string {
  if (!content.includes('<') && !content.includes('&')) return content.trim();
  const file: { url?: string; name?: string; id?: string; sizeBytes?: number } = {};
  const html = content
    .replace(/<legacyquote>[^<]{0,1000}<\/legacyquote>/g, '')
    .replace(/<quote\b([^<>]{0,2000})>/g, (_, head: string) => `<blockquote>${authorOf(head)}`)
    .replaceAll('</quote>', '</blockquote>');
  const elementText: ElementText = (name, attributes, { end }) => {
    if (name === 'at') {
      const id = attributes.get('id');
      if (id?.includes(':')) row.mention(id);
      return html[end] === '@' ? '' : '@';
    }
    if (name === 'uriobject') {
      file.url = attributes.get('uri') ?? '';
      file.id = attributes.get('doc_id') ?? '';
    } else if (name === 'originalname') file.name = attributes.get('v') ?? '';
    else if (name === 'filesize') file.sizeBytes = Number(attributes.get('v'));
    else if (name === 'u') row.lose('underlines');
    return undefined;
  };
  const text = htmlToMarkdown(html, elementText);
  if (file.url === undefined) return text;
  row.files.push({
    ...(file.id && { id: file.id }),
    name: file.name || 'file',
    ...(Number.isSafeInteger(file.sizeBytes) && file.sizeBytes! >= 0 && { sizeBytes: file.sizeBytes! }),
    unavailable: 'access-denied',
  });
  row.lose('oldLinks');
  // A message of nothing but a file that nobody can open says at least its name.
  return file.name || 'file';
}

/** Of a quotation, by the attributes of its tag. */
function authorOf(head: string): string {
  const name = /\bauthorname="([^"]{1,200})"/.exec(head)?.[1];
  return name === undefined ? '' : `<b>${name}</b><br>`;
}

function addKind(type: string, content: string, record: NewMessage): void {
  if (type === 'Event/Call') record.call = callOf(content, record.sentAtMs);
  const event = /^ThreadActivity\/(\w{1,60})$/.exec(type)?.[1];
  if (record.call) record.text = 'Call';
  if (event === undefined) return;
  const initiator = /<initiator>([^<]{1,200})</.exec(content)?.[1];
  const what = [...content.matchAll(/<(?:target|value)>([^<]{0,1000})</g)].map(([, words]) => words!).slice(0, 100);
  record.systemEvent = event;
  record.author = initiator;
  record.text = what.length === 0 ? event : `${event}: ${what.join(', ')}`;
}

function callOf(content: string, sentAtMs: number): MessageRecord['call'] {
  const participants = [...content.matchAll(/<part identity="([^"]{1,200})"/g)].map(([, id]) => id!);
  const durations = [...content.matchAll(/<duration>(\d{1,9})/g)].map(([, seconds]) => Number(seconds));
  const seconds = durations.reduce((longest, one) => Math.max(longest, one), 0);
  const people = participants.length > 0 && { participants: [...new Set(participants)] };
  if (content.includes('type="started"')) return { startedAtMs: sentAtMs, ...people };
  return { startedAtMs: sentAtMs - seconds * 1000, endedAtMs: sentAtMs, ...people };
}

function addProperties(properties: Fields, record: NewMessage, content: string): void {
  const editedAtMs = Number(asId(properties.get('edittime')));
  if (Number.isSafeInteger(editedAtMs)) record.edited = { atMs: editedAtMs };
  else if (content.includes('<e_m ')) record.edited = {};
  if (asId(properties.get('deletetime')) !== undefined) record.isDeleted = true;
  const reactions = asArray(properties.get('emotions')).flatMap((value) => {
    const emotion = new Fields(value);
    const key = asString(emotion.get('key'));
    if (key === undefined) return [];
    const who = asArray(emotion.get('users'));
    const users = who.flatMap((user) => asString(new Fields(user).get('mri')) ?? []);
    return [{ emoji: emojiOfReaction(key), users: [...new Set(users)], count: who.length }];
  });
  if (reactions.length > 0) record.reactions = reactions;
}
