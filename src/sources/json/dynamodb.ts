import { isObject, type JsonObject } from './unwrap.ts';

/** An item of a table as an object without the types of its values, or an item that was deleted. */
export type DynamoItem =
  | { readonly item: JsonObject; readonly isDeleted?: never }
  | { readonly isDeleted: true; readonly item?: never };

/**
 * An item of DynamoDB in one of the ways in which it is exported, each value with its type:
 *
 *     {"Item": {"id": {"S": "m1"}, "at": {"N": "1772442900000"}}}                                  export to S3
 *     {"Metadata": {…}, "Keys": {"id": {"S": "m1"}}, "NewImage": {…}, "OldImage": {…}}              incremental export
 *     {"id": {"S": "m1"}, "at": {"N": "1772442900000"}}                                             in `Items` of an answer of Scan or Query
 *
 * In an incremental export an item without a new image was deleted.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html (2026-11)
 *
 * @returns undefined if it is none of these. Every value must have a type: one look is enough for almost every other object.
 */
export function dynamoItem(value: unknown): DynamoItem | undefined {
  if (!isObject(value)) return undefined;
  const line = dynamoLine(value);
  const typed = line ?? value;
  if (typed === 'deleted') return { isDeleted: true };
  return isTypedItem(typed) ? { item: plainItem(typed) } : undefined;
}

/** Whether a value is a line of an export to S3. */
export const isDynamoLine = (value: unknown): boolean => isObject(value) && dynamoLine(value) !== undefined;

const lineKeys = new Set(['Metadata', 'Keys', 'NewImage', 'OldImage']);

function dynamoLine(value: JsonObject): JsonObject | 'deleted' | undefined {
  if (isTypedItem(value.Item) && Object.keys(value).length === 1) return value.Item;
  if (!isTypedItem(value.Keys) || !isObject(value.Metadata)) return undefined;
  if (!Object.keys(value).every((key) => lineKeys.has(key))) return undefined;
  if (value.NewImage === undefined) return 'deleted';
  return isTypedItem(value.NewImage) ? value.NewImage : undefined;
}

function isTypedItem(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  let count = 0;
  for (const key in value) {
    if (!isTyped(value[key])) return false;
    count += 1;
  }
  return count > 0;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => isText(value) && numberPattern.test(value as string);

/** By type: whether it can have this value. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html (2026-11) */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  S: isText,
  N: isNumber,
  B: isText,
  BOOL: (value) => typeof value === 'boolean',
  NULL: (value) => value === true,
  M: (value) => isObject(value) && Object.values(value).every(isTyped),
  L: (value) => Array.isArray(value) && value.every(isTyped),
  SS: isTexts,
  NS: (value) => Array.isArray(value) && value.every(isNumber),
  BS: isTexts,
};

function isTyped(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [type, ...others] = Object.keys(value);
  return type !== undefined && others.length === 0 && Object.hasOwn(types, type) && types[type]!(value[type]);
}

const plainItem = (item: JsonObject): JsonObject =>
  // Pairs, so that a key "__proto__" stays a key.
  Object.fromEntries(Object.entries(item).map(([key, value]) => [key, plain(value as JsonObject)]));

function plain(typed: JsonObject): unknown {
  const [type, value] = Object.entries(typed)[0]!;
  switch (type) {
    case 'N':
      return exactNumber(value as string);
    case 'NULL':
      return null;
    case 'M':
      return plainItem(value as JsonObject);
    case 'L':
      return (value as readonly JsonObject[]).map(plain);
    case 'NS':
      return (value as readonly string[]).map(exactNumber);
    default:
      return value;
  }
}

const numberPattern = /^-?\d{1,200}(?:\.\d{1,200})?(?:[eE][-+]?\d{1,4})?$/;

/** Numbers have up to 38 digits: those that a JavaScript number would change stay text. */
function exactNumber(digits: string): number | string {
  const number = Number(digits);
  return String(number) === digits && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : digits;
}
