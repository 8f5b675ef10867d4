import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { MessageRecord, UserRecord } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { htmlToMarkdown } from '../kit/text/html-to-markdown.ts';
import { asArray, asId, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import { Fields, type PersonalMessage } from './format.ts';
import { emojiOfReaction, teamsTime } from './message.ts';
import { convertContent } from './personal-content.ts';
import { jsonIn, listIn, peopleIn, personId } from './personal-ids.ts';
import { Row } from './row.ts';

export const makePerson = (id: string, name: string): UserRecord => ({
  kind: 'user',
  id,
  name,
  ...(id.startsWith('28:') && { isBot: true }),
});

/** A row of a personal export as a message. */
export function readPersonal(
  message: Untrusted<PersonalMessage>,
  context: { readonly workspace: string; readonly conversation: string | undefined },
): { readonly record: NewMessage; readonly media: readonly string[] } | RowProblem {
  const conversation = context.conversation ?? asString(message.conversationid);
  const id = asId(message.id);
  if (conversation === undefined || id === undefined) {
    const reason = `Expected "id" and "conversationid", found ${id === undefined ? 'no id' : 'no conversation'}`;
    return { code: 'teams-no-conversation', reason };
  }
  const sentAtMs = teamsTime(message.originalarrivaltime);
  if (sentAtMs === undefined)
    return fieldProblem('teams-bad-time', '"originalarrivaltime"', message.originalarrivaltime);
  const origin = { source: 'teams', workspace: context.workspace, conversation, id };
  const record = newMessage({ origin, sortKey: id, sentAtMs, text: '' });
  const row = new Row();
  const type = asString(message.messagetype) ?? '';
  const content = asString(message.content) ?? '';
  record.text = type === 'Text' || ofPlatform.test(type) ? content : convertContent(content, type, row);
  const from = asString(message.from);
  const who = from === undefined ? undefined : personId(from);
  if (who !== undefined && !who.startsWith('19:')) record.author = who;
  addKind(type, content, record);
  addProperties(new Fields(jsonIn(message.properties)), record, { content, row });
  if (!known.test(type)) record.custom = { messagetype: type };
  if (row.mentions.length > 0) record.mentions = row.mentions;
  if (row.files.length > 0) record.attachments = row.files;
  if (row.lost) record.lost = row.lost;
  return { record, media: asStrings(message.amsreferences) };
}

/** Types of messages that the platform wrote, in its own elements. */
const ofPlatform = /^(?:Event\/Call|ThreadActivity\/\w{1,60})$/;

/** Types whose content says all that the type does. */
const known = /^(?:Text|RichText|RichText\/(?:UriObject|Media_\w{1,40}|Html)|Event\/Call|ThreadActivity\/\w{1,60})$/;

function addKind(type: string, content: string, record: NewMessage): void {
  if (type === 'Event/Call') {
    record.call = readCall(content, record.sentAtMs);
    record.text = content.includes('type="missed"') ? 'Missed call' : 'Call';
    return;
  }
  const event = /^ThreadActivity\/(\w{1,60})$/.exec(type)?.[1];
  if (event === undefined) return;
  record.systemEvent = event;
  if (/^\s*\{/.test(content)) {
    const facts = new Fields(jsonIn(content));
    const members = peopleIn(facts.get('members'));
    const by = asString(facts.get('initiator'));
    if (by !== undefined) record.author = personId(by);
    record.text = members.length === 0 ? event : `${event}: ${members.join(', ')}`;
    return;
  }
  const initiator = /<initiator>([^<]{1,200})</.exec(content)?.[1];
  const said = content.replace(/<(eventtime|initiator|rosterversion)>[^<]{0,300}</gi, '<');
  const what = [...said.matchAll(/>([^<>]{1,1000})</g)]
    .slice(0, 100)
    .map(([, words]) => htmlToMarkdown(words!))
    .filter((words) => words !== '');
  record.author = initiator === undefined ? undefined : personId(initiator);
  record.text = what.length === 0 ? event : `${event}: ${what.join(', ')}`;
}

function readCall(content: string, sentAtMs: number): MessageRecord['call'] {
  const participants = [...content.matchAll(/<part identity="([^"]{1,200})"/g)].map(([, id]) => personId(id!));
  const durations = [...content.matchAll(/<duration>(\d{1,9})/g)].map(([, seconds]) => Number(seconds));
  const seconds = durations.reduce((longest, one) => Math.max(longest, one), 0);
  const people = participants.length > 0 && { participants: [...new Set(participants)] };
  if (content.includes('type="started"')) return { startedAtMs: sentAtMs, ...people };
  return { startedAtMs: sentAtMs - seconds * 1000, endedAtMs: sentAtMs, ...people };
}

function addProperties(
  properties: Fields,
  record: NewMessage,
  { content, row }: { readonly content: string; readonly row: Row },
): void {
  const editedAtMs = Number(asId(properties.get('edittime')));
  if (Number.isSafeInteger(editedAtMs)) record.edited = { atMs: editedAtMs };
  else if (content.includes('<e_m ')) record.edited = {};
  if (asId(properties.get('deletetime')) !== undefined) record.isDeleted = true;
  if (asString(properties.get('urlpreviews')) !== undefined) row.lose('previews');
  const reactions = listIn(properties.get('emotions')).flatMap((value) => {
    const emotion = new Fields(value);
    const key = asString(emotion.get('key'));
    if (key === undefined) return [];
    const who = asArray(emotion.get('users'));
    const users = who.flatMap((user) => asString(new Fields(user).get('mri')) ?? []).map(personId);
    return [{ emoji: emojiOfReaction(key), users: [...new Set(users)], count: who.length }];
  });
  if (reactions.length > 0) record.reactions = reactions;
}
