import type { Entry } from '../../model/entry.ts';
import { embeddedPath } from '../../io/input/embedded-part.ts';
import { newMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { fieldProblem, recordEntry, invalidEntry, type RowProblem } from '../kit/entries.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import type { RowNotes } from '../kit/rows/row-notes.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import {
  asText,
  normaliseAddress,
  addressType,
  box,
  neverSent,
  notFetched,
  ownToken,
  self,
  timeOf,
  asWord,
} from './format.ts';
import type { SmsbackupOptions } from './options.ts';
import type { Conversation, People } from './people.ts';
import type { BackupRow, Part } from './rows.ts';

/** Context for reading a row. */
export interface Place {
  readonly path: string;
  readonly workspace: string;
  readonly options: SmsbackupOptions;
  readonly people: People;
  readonly identity: RowIdentity;
  readonly counts: CountedProblems;
  readonly notes: RowNotes;
}

export const notSent = 'smsbackup-not-sent';
export const blindCopies = 'smsbackup-blind-copies';

const cut: RowProblem = {
  code: 'smsbackup-too-long',
  reason: 'A value of the row is longer than any message, or the XML of the row is damaged',
};
const noAddress: RowProblem = {
  code: 'smsbackup-no-address',
  reason: 'Expected the telephone number of one who was seen by the others as "address", found none',
};

/** @param number Of the row in the file, from 1. */
export function readMessage(row: BackupRow, number: number, place: Place, into: Entry[]): void {
  const location = { path: place.path, line: row.line };
  const reject = ({ code, reason }: RowProblem, id?: string) => into.push(invalidEntry(code, reason, location, id));
  if (row.isCut) return void reject(cut);
  const type = row.attributes.get(row.kind === 'sms' ? 'type' : 'msg_box');
  const waiting = type !== undefined && Object.hasOwn(neverSent, type) ? neverSent[type]! : undefined;
  if (waiting !== undefined && place.options.unsent === 'skip') return void place.counts.add(notSent, waiting);
  const conversation = place.people.readConversation(row);
  if (!conversation) return void reject(noAddress);
  const isOwn = type === box.sent || waiting !== undefined;
  if (!isOwn && type !== box.received)
    return void reject(fieldProblem('smsbackup-bad-type', 'the type of a message', type), conversation.id);
  const date = row.attributes.get('date');
  const sentAtMs = timeOf(date);
  if (sentAtMs === undefined)
    return void reject(fieldProblem('smsbackup-bad-time', 'milliseconds as "date"', date), conversation.id);
  place.counts.add(blindCopies, 'recipients whom the others did not see', conversation.hiddenCount);
  const author = isOwn ? self : readAuthor(row, conversation);
  place.people.describe({ row, conversation, author }, location, into);
  const id = place.identity.idOf(identifyingCells(row, type!));
  const subject = asText(row.attributes.get(row.kind === 'sms' ? 'subject' : 'sub'));
  const { text, files } = readContent(row, place.path);
  const isAnnounced = row.attributes.get('m_type') === notFetched;
  const record = newMessage({
    origin: { source: 'smsbackup', workspace: place.workspace, conversation: conversation.id, id },
    sortKey: rowSortKey(0, number),
    sentAtMs,
    text: subject === undefined ? text : [`**${subject}**`, text].filter((line) => line !== '').join('\n'),
    author,
    attachments: isAnnounced ? [{ name: 'MMS', unavailable: 'not-in-export' }] : files,
    custom: { unsent: waiting },
    lost: { accidentalMarkup: countMarkup(text) },
  });
  if (isAnnounced) place.notes.add('smsbackup-not-fetched', 'The MMS was announced, and not fetched', location, into);
  into.push(recordEntry(record, location));
}

/** The one who is not oneself in a chat of two is the other. */
function readAuthor({ addresses }: BackupRow, { id, isGroup }: Conversation): string | undefined {
  const from = addresses.find((attributes) => attributes.get('type') === addressType.from)?.get('address');
  const address = asWord(from);
  if (address !== undefined && address !== ownToken) return isGroup ? normaliseAddress(address) : id;
  return isGroup ? undefined : id;
}

/** Values by which the next backup shows that it is the same message. */
function identifyingCells({ kind, attributes, parts }: BackupRow, type: string): (string | undefined)[] {
  const get = (name: string) => attributes.get(name);
  if (kind === 'sms') return [kind, get('address'), get('date'), type, get('body')];
  const contents = parts.map(({ attributes: part, data }) => `${part.get('text') ?? ''} ${data?.length ?? 0}`);
  return [kind, get('address'), get('date'), type, get('m_id'), ...contents];
}

function readContent({ attributes, parts, kind }: BackupRow, path: string) {
  const texts = kind === 'sms' ? [asText(attributes.get('body')) ?? ''] : [];
  const files: Attachment[] = [];
  for (const [index, part] of parts.entries()) {
    const type = asWord(part.attributes.get('ct'))?.toLowerCase() ?? '';
    const text = asWord(part.attributes.get('text'));
    if (type === 'application/smil') continue;
    if (text !== undefined && part.data === undefined) texts.push(asText(text) ?? '');
    else if (type !== 'text/plain' || part.data !== undefined) files.push(readFile(part, type, index, path));
  }
  return { text: texts.filter((line) => line !== '').join('\n'), files };
}

/** Where the app writes names; the first that says something. */
const nameAttributes = ['name', 'fn', 'cl'];

function readFile({ attributes, data }: Part, type: string, index: number, path: string): Attachment {
  const named = nameAttributes.map((attribute) => asWord(attributes.get(attribute))).find((name) => name !== undefined);
  const ending = /^[a-z]+\/(?:x-)?([a-z0-9]{1,8})/.exec(type)?.[1];
  const name = named ?? `part-${index + 1}${ending === undefined ? '' : `.${ending}`}`;
  const about = { name, mimeType: type || undefined };
  if (data === undefined) return { ...about, unavailable: 'not-in-export' };
  const url = embeddedPath({ outer: path, ...data }, name)
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return { ...about, url };
}
