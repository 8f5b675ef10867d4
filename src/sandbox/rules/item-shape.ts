import type { ErrorCode } from '../../service/operation.ts';
import { importItem, type ImportItem } from '../../service/import-item.ts';
import { secondsMax } from '../../service/profiles.ts';
import { type Complaint, toDetails } from '../answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The message if it has the shape that the contract declares, else what is wrong. The shape is checked by hand, for speed;
 * the schema speaks only when something is wrong; a test holds the two together. Some fields have codes of their own.
 */
export function readItem(item: unknown): { readonly item: ImportItem } | { readonly complaint: Complaint } {
  if (isItem(item)) return isDeeperThan(item, depthMax) ? { complaint: tooDeep } : { item };
  const issues = importItem.safeParse(item).error?.issues ?? [];
  const details = toDetails(issues);
  const code = isObject(item)
    ? (errorCodeForField(Object.keys(details)[0] ?? '') ?? 'ERR_BAD_REQUEST')
    : 'ERR_IMPORT_INVALID_MESSAGE_FORMAT';
  return { complaint: { code, message: 'The message did not pass the validation', details } };
}

/** Nothing if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of objects and lists. JSON has no bound; SQLite reads no more than 1,000 and some JSON writers less. */
export const depthMax = 64;

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** Values of a body, those inside of others too. 50 messages have some thousands; many more would keep everybody waiting. */
export const valuesMax = 200_000;

/** Looks at the text: making objects of millions of values takes most of the time. */
export function hasTooManyValues(json: string): boolean {
  // One value, and what separates it from the next.
  if (json.length < 2 * valuesMax) return false;
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = findStringEnd(json, at);
    else if (character === ',' || character === '[' || character === '{') count++;
    if (count > valuesMax) return true;
  }
  return false;
}

/** Returns the end of the string that begins there. */
function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

const tooDeep: Complaint = {
  code: 'ERR_INVALID_MESSAGE_DATA',
  message: `The message is nested deeper than ${depthMax} levels`,
};

/** Exported for the test that compares it with the schema. */
export function isItem(item: unknown): item is ImportItem {
  return (
    isObject(item) &&
    isText(item.muid) &&
    isText(item.sender) &&
    isText(item.receiver) &&
    (item.receiverType === 'user' || item.receiverType === 'group') &&
    isSeconds(item.sentAt) &&
    optional(item.category, isText) &&
    optional(item.type, isText) &&
    optional(item.data, isData) &&
    optional(item.deliveredAt, isSeconds) &&
    optional(item.readAt, isSeconds) &&
    optional(item.senderUserDetails, isUserDetails) &&
    optional(item.receiverUserDetails, isReceiverDetails) &&
    optional(item.receiverGroupDetails, isReceiverDetails) &&
    optional(item.receiverGroupOwnerDetails, isUserDetails) &&
    optional(item.mentionedUserDetails, isUserDetailsByUid) &&
    optional(item.tags, isTexts)
  );
}

const optional = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

function isSeconds(value: unknown): boolean {
  if (typeof value === 'string') return /^\d{1,10}$/.test(value);
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= secondsMax;
}

function isData(data: unknown): boolean {
  return (
    isObject(data) &&
    optional(data.text, isText) &&
    optional(data.attachments, isAttachments) &&
    optional(data.metadata, isObject) &&
    optional(data.custodata, isObject) &&
    optional(data.customData, isObject)
  );
}

const isAttachments = (value: unknown): boolean => Array.isArray(value) && value.every(isAttachment);

function isAttachment(file: unknown): boolean {
  return (
    isObject(file) &&
    isText(file.url) &&
    optional(file.name, isText) &&
    optional(file.extension, isText) &&
    optional(file.mimeType, isText) &&
    optional(file.size, (size) => isText(size) || Number.isFinite(size))
  );
}

const isUserDetails = (details: unknown): boolean => isDetails(details) && isText(details.uid);

const isUserDetailsByUid = (byUid: unknown): boolean => isObject(byUid) && Object.values(byUid).every(isUserDetails);

const isReceiverDetails = (details: unknown): boolean =>
  isDetails(details) &&
  optional(details.uid, isText) &&
  optional(details.guid, isText) &&
  optional(details.type, isText) &&
  optional(details.description, isText) &&
  optional(details.icon, isText) &&
  optional(details.owner, isText);

/** Checks what the details of senders and receivers have in common. */
const isDetails = (details: unknown): details is Fields =>
  isObject(details) &&
  isText(details.name) &&
  optional(details.avatar, isText) &&
  optional(details.link, isText) &&
  optional(details.role, isText) &&
  optional(details.createdAt, isSeconds) &&
  optional(details.lastActiveAt, isSeconds) &&
  optional(details.metadata, isObject) &&
  optional(details.tags, isTexts);

/** Fields of a message that have codes of their own. The first whose name a field begins with counts. */
const codes: readonly (readonly [field: string, code: ErrorCode])[] = [
  ['receiverType', 'ERR_INVALID_RECEIVER_TYPE'],
  ['category', 'ERR_INVALID_MESSAGE_CATEGORY'],
  ['type', 'ERR_INVALID_MESSAGE_TYPE'],
  ['data.text', 'ERR_INVALID_MESSAGE_TEXT'],
  ['data.metadata', 'ERR_INVALID_METADATA'],
  ['data.attachments', 'ERR_INVALID_MEDIA_MESSAGE'],
  ['data.customData', 'ERR_INVALID_CUSTOM_DATA'],
  ['data.custodata', 'ERR_INVALID_CUSTOM_DATA'],
  ['data', 'ERR_INVALID_MESSAGE_DATA'],
  ['receiver', 'ERR_EMPTY_RECEIVER'],
];

/** @param field as `toDetails` names it: `data.attachments.0.url`. */
export function errorCodeForField(field: string): ErrorCode | undefined {
  return codes.find(([name]) => field === name || field.startsWith(`${name}.`))?.[1];
}
