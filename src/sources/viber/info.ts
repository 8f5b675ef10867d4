import { parseJson, withDefaults } from '../../io/json/json-element.ts';
import { asArray, asId, asObject, type Untrusted } from '../kit/narrow.ts';

/** The facts of `Messages.Info` about a message, as far as it is read. */
interface MessageInfo {
  readonly quote: { readonly token: string; readonly text: string };
  /** The message that this event edits. */
  readonly edit: { readonly token: string };
  readonly desktop_info: { readonly edit_token: string };
  readonly pin: { readonly token: string; readonly action: 'create' | 'delete' };
  readonly generalFwdInfo: unknown;
  /** A list, or its JSON as a text. */
  readonly textMetaInfo: readonly { readonly type: number; readonly memberId: string }[];
  readonly fileInfo: { readonly ContentType: string; readonly FileName: string };
  readonly locationInfo: { readonly address: string };
  readonly messageReactions: readonly { readonly type: number; readonly count: number }[];
  readonly reaction_meta_info: unknown;
  readonly URL: string;
  readonly Title: string;
  readonly Description: string;
  readonly Name: string;
  readonly PhoneNumber: string;
  readonly ViberNumber: string;
}

export type Info = Untrusted<MessageInfo>;

/** Keys that are read; `text` is of the quoted message, which has it itself. */
const read: ReadonlySet<string> = new Set([
  ...['quote', 'edit', 'desktop_info', 'pin', 'generalFwdInfo', 'textMetaInfo', 'fileInfo', 'locationInfo'],
  ...['messageReactions', 'reaction_meta_info', 'URL', 'Title', 'Description', 'Name', 'PhoneNumber', 'ViberNumber'],
]);

const none: Info = {};

/** @returns undefined if it is no object of JSON. Numbers of many digits are texts. */
export function readInfo(value: unknown): Info | undefined {
  if (value === null || value === undefined || value === '' || value === '{}') return none;
  if (typeof value !== 'string') return undefined;
  const parsed = parseJson(Buffer.from(value), 0, withDefaults({}));
  return 'value' in parsed ? asObject<MessageInfo>(parsed.value) : undefined;
}

/** Keys that nothing reads and that say something. */
export const unreadKeys = (info: Info): readonly string[] =>
  info === none ? [] : Object.entries(info).flatMap(([key, value]) => (read.has(key) || isEmpty(value) ? [] : [key]));

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === 0 || value === false;
}

/** Token of a message that a part of the info names. */
export function namedToken(part: unknown, key = 'token'): string | undefined {
  const token = asId(asObject<Record<string, unknown>>(part)?.[key]);
  return token === '0' ? undefined : token;
}

/** Ids of the people whom the text mentions: pieces of type 0. */
export function mentionedMembers({ textMetaInfo }: Info): readonly unknown[] {
  const list = typeof textMetaInfo === 'string' ? listIn(textMetaInfo) : textMetaInfo;
  return asArray(list).flatMap((value) => {
    const piece = asObject<MessageInfo['textMetaInfo'][number]>(value);
    return piece?.type === 0 ? [piece.memberId] : [];
  });
}

function listIn(text: string): unknown {
  const parsed = parseJson(Buffer.from(text), 0, withDefaults({}));
  return 'value' in parsed ? parsed.value : undefined;
}
