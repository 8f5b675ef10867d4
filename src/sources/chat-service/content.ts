import type { MessageRecord } from '../../model/records.ts';
import { asObject, asString, asWord, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';
import { asServiceId } from './conversation.ts';
import type { ServiceCall, ServiceData, ServiceEntity, ServiceMessage } from './format.ts';

/** Content of a message, by its category. `problem` is for a person to know. */
export interface Content extends Pick<MessageRecord, 'text' | 'systemEvent' | 'call'> {
  readonly problem?: string;
}

type Data = Untrusted<ServiceData>;

/**
 * One rule for each category:
 *
 * - `message`: its text;
 * - `custom`: its text; without one, and without files, an event `custom:<type>`, since what it means only its app knows;
 * - `interactive`: its text or the form's title; else an event `interactive:<type>`. Buttons and fields are not migrated:
 *   what they call may hold keys;
 * - `action`: an event `<type>:<action>`, such as `groupMember:joined`, in words;
 * - `call`: a call;
 * - any other: a message, and a problem says so.
 */
export function readContent(row: Untrusted<ServiceMessage>, data: Data, hasFiles: boolean): Content {
  const text = typeof data.text === 'string' ? data.text : '';
  const type = asString(row.type) ?? 'unknown';
  switch (asString(row.category) ?? 'message') {
    case 'message':
      return { text };
    case 'custom':
      return text !== '' || hasFiles ? { text } : { text, systemEvent: `custom:${type}` };
    case 'interactive':
      return interactive(text || (asString(asObject<{ title: string }>(data.interactiveData)?.title) ?? ''), type);
    case 'action':
      return { text: text || actionInWords(data), systemEvent: `${type}:${asString(data.action) ?? 'unknown'}` };
    case 'call':
      return call(text, type, data);
    default:
      return {
        text,
        problem: `Category "${asWord(row.category).slice(0, 40)}" is not known: the row is kept as a message`,
      };
  }
}

const interactive = (text: string, type: string): Content =>
  text === '' ? { text, systemEvent: `interactive:${type}` } : { text };

/** `Ines kicked Tomasz`; of what is no person or group, its kind: `Ines edited message`. */
function actionInWords({ entities, action }: Data): string {
  const { by, on } = asObject<ServiceData['entities']>(entities) ?? {};
  return [nameOf(by), asString(action), nameOf(on)].filter(Boolean).join(' ');
}

function nameOf(value: unknown): string | undefined {
  const found = asObject<ServiceEntity>(value);
  const entity = asObject<{ name: string; uid: string; guid: string }>(found?.entity);
  return asString(entity?.name) ?? asString(entity?.uid) ?? asString(entity?.guid) ?? asString(found?.entityType);
}

function call(text: string, type: string, data: Data): Content {
  const entities = asObject<ServiceData['entities']>(data.entities);
  const about = asObject<ServiceCall>(asObject<ServiceEntity>(entities?.on)?.entity) ?? {};
  const state = asString(data.action) ?? asString(about.status);
  const startedAtMs = pastSecondsToMs(about.startedAt) ?? pastSecondsToMs(about.initiatedAt);
  const endedAtMs = pastSecondsToMs(about.endedAt);
  const callee = about.receiverType === 'user' ? asServiceId(about.receiver) : undefined;
  const participants = [...new Set([asServiceId(about.sender), callee])].filter((uid) => uid !== undefined);
  const kind = type === 'video' ? 'Video call' : type === 'audio' ? 'Audio call' : 'Call';
  return {
    text: text || (state === undefined ? kind : `${kind}, ${state}`),
    systemEvent: `call:${state ?? 'unknown'}`,
    call: {
      ...(startedAtMs !== undefined && { startedAtMs }),
      ...(endedAtMs !== undefined && { endedAtMs }),
      ...(participants.length > 0 && { participants }),
    },
  };
}

/** How the service writes a mention in a text; the hosted service documents it (mentions page, 2026-11). */
const mention = /<@uid:([^<>\s]{1,100})>/g;

export interface MentionedText {
  /** With `@Name` for each mention. */
  readonly text: string;
  /** Uids, each once, in order. */
  readonly mentions: readonly string[];
}

export function readMentions(text: string, nameOf: (uid: string) => string | undefined): MentionedText {
  if (!text.includes('<@uid:')) return { text, mentions: [] };
  const mentions = new Set<string>();
  const plain = text.replaceAll(mention, (_, spelled: string) => {
    const uid = spelled.toLowerCase();
    mentions.add(uid);
    return `@${nameOf(uid) ?? uid}`;
  });
  return { text: plain, mentions: [...mentions] };
}
