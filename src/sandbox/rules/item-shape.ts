import type { ErrorCode } from '../../service/operation.ts';
import { importItem, type ImportItem } from '../../service/import-item.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { type Complaint, toDetails } from '../answers.ts';

/** The message if it has the shape that the contract declares, else what is wrong. Some fields have codes of their own. */
export function readItem(item: unknown): { readonly item: ImportItem } | { readonly complaint: Complaint } {
  const { error } = importItem.safeParse(item);
  if (!error) return isDeeperThan(item, depthMax) ? { complaint: tooDeep } : { item: item as ImportItem };
  const details = toDetails(error.issues);
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

function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

const tooDeep: Complaint = {
  code: 'ERR_INVALID_MESSAGE_DATA',
  message: `The message is nested deeper than ${depthMax} levels`,
};

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
