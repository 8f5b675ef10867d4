import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, asStrings, describe, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"fingerprint"', row.fingerprint);
  if (conversation === undefined) return fieldProblem('crisp-no-conversation', '"session_id"', row.session_id);
  if (sentAtMs === undefined) return fieldProblem('crisp-bad-time', '"timestamp" in ms', row.timestamp);
  const { type } = row;
  const unclear = unclearIn(row);
  if (!isType(type) || unclear !== undefined)
    return { code: 'crisp-unclear-visibility', reason: unclear ?? `Expected a known "type", found ${describe(type)}` };
  const content = readContent(row, type);
  if ('code' in content) return content;
  const references = referencesIn(row.references);
  const { lost, lose } = countLost({ ...content.lost });
  lose('previews', asArray(row.preview).length);
  lose('appData', Object.keys(asObject(row.properties) ?? {}).length + references.others);
  const record = newMessage({
    origin: { source: 'crisp', workspace, conversation, id },
    sortKey,
    sentAtMs,
    text: [content.text, ...references.links].filter(Boolean).join('\n\n'),
    author: readAuthor(row)?.id,
    mentions: operatorIds(asStrings(row.mentions)),
    attachments: content.files,
    edited: row.edited === true ? {} : undefined,
    systemEvent: content.event,
    internal: type === 'note' ? type : undefined,
    custom: {
      origin: row.origin === 'chat' ? undefined : asString(row.origin),
      automated: row.automated === true || undefined,
      translated: row.translated === true || undefined,
    },
    lost,
  });
  noteHidingMark(record, row.properties, 'properties');
  countMarks(row, counts);
  return record;
}

function unclearIn(row: Row): string | undefined {
  if (row.from !== 'user' && row.from !== 'operator')
    return `Expected "from" to be "user" or "operator", found ${describe(row.from)}`;
  const isOpen = row.stealth === undefined || row.stealth === null || row.stealth === false;
  return isOpen || row.type === 'note' ? undefined : '"stealth" is set: whether the other side saw it is not known';
}

function countMarks(row: Row, counts: CountedProblems): void {
  const marks = [row.read, row.delivered].filter((mark) => asString(mark) !== undefined).length;
  const ignored = Object.keys(asObject(row.ignored) ?? {}).length;
  counts.add('crisp-not-migrated', 'marks of messages that were read, delivered or not', marks + ignored);
  if (asObject(row.original)) counts.add('crisp-not-migrated', 'mails that messages were made from');
}
