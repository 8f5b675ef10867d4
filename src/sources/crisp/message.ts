import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, asStrings, describe, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { readContent, isType, referencesIn } from './content.ts';
import { type CrispMessage, msOf } from './format.ts';
import { readAuthor, operatorIds } from './people.ts';

type Row = Untrusted<CrispMessage>;

interface MessagePlace {
  readonly workspace: string;
  readonly sortKey: string;
  readonly counts: CountedProblems;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, { workspace, sortKey, counts }: MessagePlace): NewMessage | RowProblem {
  const id = asId(row.fingerprint);
  const conversation = asId(row.session_id);
  const sentAtMs = msOf(row.timestamp);
  if (id === undefined)
    return { code: 'missing-id', reason: `Expected "fingerprint", found ${describe(row.fingerprint)}` };
  if (conversation === undefined)
    return { code: 'crisp-no-conversation', reason: `Expected "session_id", found ${describe(row.session_id)}` };
  if (sentAtMs === undefined)
    return { code: 'crisp-bad-time', reason: `Expected "timestamp" in ms, found ${describe(row.timestamp)}` };
  const { type } = row;
  const unclear = unclearIn(row);
  if (!isType(type) || unclear !== undefined)
    return { code: 'crisp-unclear-visibility', reason: unclear ?? `Expected a known "type", found ${describe(type)}` };
  const content = readContent(row, type);
  if ('code' in content) return content;
  const references = referencesIn(row.references);
  const record = newMessage({
    origin: { source: 'crisp', workspace, conversation, id },
    sortKey,
    sentAtMs,
    text: [content.text, ...references.links].filter(Boolean).join('\n\n'),
  });
  const author = readAuthor(row);
  if (author !== undefined) record.author = author.id;
  if (content.files.length > 0) record.attachments = [...content.files];
  if (type === 'note') record.internal = 'note';
  if (content.event !== undefined) record.systemEvent = content.event;
  if (row.edited === true) record.edited = {};
  const mentions = operatorIds(asStrings(row.mentions));
  if (mentions.length > 0) record.mentions = mentions;
  const custom = readCustom(row);
  if (hasMembers(custom)) record.custom = custom;
  const lost: Partial<Record<LostPart, number>> = { ...content.lost };
  const previews = asArray(row.preview).length;
  if (previews > 0) lost.previews = previews;
  const appData = Object.keys(asObject(row.properties) ?? {}).length + references.others;
  if (appData > 0) lost.appData = appData;
  noteHidingMark(record, row.properties, 'properties');
  if (hasMembers(lost)) record.lost = lost;
  countMarks(row, counts);
  return record;
}

function unclearIn(row: Row): string | undefined {
  if (row.from !== 'user' && row.from !== 'operator')
    return `Expected "from" to be "user" or "operator", found ${describe(row.from)}`;
  const isOpen = row.stealth === undefined || row.stealth === null || row.stealth === false;
  return isOpen || row.type === 'note' ? undefined : '"stealth" is set: whether the other side saw it is not known';
}

function readCustom(row: Row): Record<string, string | boolean> {
  const origin = asString(row.origin);
  return {
    ...(origin !== undefined && origin !== 'chat' && { origin }),
    ...(row.automated === true && { automated: true }),
    ...(row.translated === true && { translated: true }),
  };
}

function countMarks(row: Row, counts: CountedProblems): void {
  const marks = [row.read, row.delivered].filter((mark) => asString(mark) !== undefined).length;
  const ignored = Object.keys(asObject(row.ignored) ?? {}).length;
  counts.add('crisp-not-migrated', 'marks of messages that were read, delivered or not', marks + ignored);
  if (asObject(row.original)) counts.add('crisp-not-migrated', 'mails that messages were made from');
}
