import type { Json } from '../../model/records.ts';
import type { Lost } from '../kit/lost.ts';
import { asObject, asString } from '../kit/narrow.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { bareName, eventTypes, messageTypes } from './format.ts';
import type { Info } from './info.ts';

/** Content of an event. */
export interface Content {
  readonly text: string;
  /** Set for a line of the app. */
  readonly systemEvent: string | undefined;
  readonly lost: Lost;
  readonly custom: Readonly<Record<string, Json | undefined>>;
  readonly isKnown: boolean;
}

const types: ReadonlySet<number | undefined> = new Set(Object.values(messageTypes));

/** @param type Value of `Messages.Type`. */
export function readContent(row: DatabaseRow, info: Info, type: number | undefined): Content {
  const [body, subject] = [asString(row.Body), asString(row.Subject)];
  const systemEvent = findSystemEvent(row, info, type);
  const typed = body ?? subject ?? '';
  const hasPreview = asString(info.Title) !== undefined || asString(info.Description) !== undefined;
  const isKnown = systemEvent !== undefined || types.has(type);
  const parts = [typed, ...besideText(row, info, type, typed)];
  const text = parts.filter((part) => part !== '').join('\n');
  return {
    text: text === '' && systemEvent !== undefined ? describeEvent(systemEvent) : text,
    systemEvent,
    lost: { previews: hasPreview ? 1 : undefined },
    custom: {
      subject: body === undefined || subject === body ? undefined : subject,
      forwarded: info.generalFwdInfo ? true : undefined,
      duration: numberOf(row.Duration) || numberOf(row.PttDuration) || undefined,
      messageType: isKnown ? undefined : (type ?? `event ${String(row.Type)}`),
    },
    isKnown,
  };
}

function findSystemEvent(row: DatabaseRow, info: Info, type: number | undefined): string | undefined {
  const event = numberOf(row.Type);
  const action = asObject<{ action: string }>(info.pin)?.action;
  if (action !== undefined) return action === 'delete' ? 'message-unpinned' : 'message-pinned';
  if (event === eventTypes.system) return type === undefined ? 'system' : `system-${type}`;
  if (event === eventTypes.call && (type === undefined || type === messageTypes.oldText)) return 'call';
  return type === messageTypes.pin ? `system-${type}` : undefined;
}

const words: Readonly<Record<string, string>> = {
  call: 'Call',
  'message-pinned': 'A message was pinned',
  'message-unpinned': 'A message is no longer pinned',
};

const describeEvent = (event: string): string => words[event] ?? `Event of Viber: ${event}`;

/** Places, contacts and addresses, which are not in the text. */
function besideText(row: DatabaseRow, info: Info, type: number | undefined, typed: string): readonly string[] {
  if (type === messageTypes.location) return [describePlace(row, info)];
  if (type === messageTypes.contact) {
    const known = [bareName(info.Name), asString(info.PhoneNumber) ?? asString(info.ViberNumber)];
    const about = known.filter((part) => part !== undefined).join(', ');
    return about === '' ? [] : [`Contact: ${about}`];
  }
  const url = asString(info.URL);
  return url === undefined || typed.includes(url) ? [] : [url];
}

/** Units of a degree. */
const perDegree = 1e7;

function describePlace(row: DatabaseRow, info: Info): string {
  const [latitude, longitude] = [numberOf(row.ContactLatitude), numberOf(row.ContactLongitude)];
  const address = asString(asObject<{ address: string }>(info.locationInfo)?.address);
  const where = latitude || longitude ? `(${(latitude ?? 0) / perDegree}, ${(longitude ?? 0) / perDegree})` : undefined;
  return `Location: ${[address, where].filter((part) => part !== undefined).join(' ') || 'unknown'}`;
}
