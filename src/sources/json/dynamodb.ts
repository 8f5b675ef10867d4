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
 *     {"id": {"s": "m1"}, "at": {"n": "1772442900000"}}                                             AWS Data Pipeline
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
  if (isTypedItem(typed)) return { item: plainItem(typed, types) };
  return isPipelineItem(typed) ? { item: plainItem(typed, pipelineTypes) } : undefined;
}

/** Whether a value is a line of an export to S3, or by AWS Data Pipeline. */
export const isDynamoLine = (value: unknown): boolean =>
  isObject(value) && (dynamoLine(value) !== undefined || isPipelineItem(value));

const lineKeys = new Set(['Metadata', 'Keys', 'NewImage', 'OldImage']);

function dynamoLine(value: JsonObject): JsonObject | 'deleted' | undefined {
  if (isTypedItem(value.Item) && Object.keys(value).length === 1) return value.Item;
  if (!isTypedItem(value.Keys) || !isObject(value.Metadata)) return undefined;
  if (!Object.keys(value).every((key) => lineKeys.has(key))) return undefined;
  if (value.NewImage === undefined) return 'deleted';
  return isTypedItem(value.NewImage) ? value.NewImage : undefined;
}

function isTypedItem(value: unknown, known: Types = types, countMin = 1): value is JsonObject {
  if (!isObject(value)) return false;
  let count = 0;
  for (const key in value) {
    if (!isTyped(value[key], known)) return false;
    count += 1;
  }
  return count >= countMin;
}

/** Two values at least: a single object with a key "s" may be anybody's. */
const isPipelineItem = (value: JsonObject): boolean => isTypedItem(value, pipelineTypes, 2);

/** By type: its name in the REST interface, and whether it can have a value. */
type Types = ReadonlyMap<string, { readonly type: string; readonly fits: (value: unknown) => boolean }>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => isText(value) && numberPattern.test(value as string);

/** By type: whether it can have this value. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html (2026-11) */
const fitting = (known: () => Types) => ({
  S: isText,
  N: isNumber,
  B: isText,
  BOOL: (value: unknown) => typeof value === 'boolean',
  NULL: (value: unknown) => value === true,
  M: (value: unknown) => isObject(value) && Object.values(value).every((inner) => isTyped(inner, known())),
  L: (value: unknown) => Array.isArray(value) && value.every((inner) => isTyped(inner, known())),
  SS: isTexts,
  NS: (value: unknown) => Array.isArray(value) && value.every(isNumber),
  BS: isTexts,
});

const types: Types = new Map(Object.entries(fitting(() => types)).map(([type, fits]) => [type, { type, fits }]));

const valueNames = { S: ['s'], N: ['n'], B: ['b'], BOOL: ['bOOL'], NULL: ['null', 'nULLValue'], M: ['m'], L: ['l'] };
const setNames = { SS: ['sS'], NS: ['nS'], BS: ['bS'] };
/** As AWS Data Pipeline writes them: github.com/markitx/dynamo-backup-to-s3, lib/dynamo-backup.js (2026-11). `nULLValue`: from memory. */
const pipelineNames: Readonly<Record<string, readonly string[]>> = { ...valueNames, ...setNames };
const pipelineTypes: Types = new Map(
  Object.entries(fitting(() => pipelineTypes)).flatMap(([type, fits]) =>
    pipelineNames[type]!.map((name) => [name, { type, fits }] as const),
  ),
);

function isTyped(value: unknown, known: Types): boolean {
  if (!isObject(value)) return false;
  const [type, ...others] = Object.keys(value);
  return type !== undefined && others.length === 0 && known.get(type)?.fits(value[type]) === true;
}

const plainItem = (item: JsonObject, known: Types): JsonObject =>
  // Pairs, so that a key "__proto__" stays a key.
  Object.fromEntries(Object.entries(item).map(([key, value]) => [key, plain(value as JsonObject, known)]));

function plain(typed: JsonObject, known: Types): unknown {
  const [name, value] = Object.entries(typed)[0]!;
  switch (known.get(name)!.type) {
    case 'N':
      return exactNumber(value as string);
    case 'NULL':
      return null;
    case 'M':
      return plainItem(value as JsonObject, known);
    case 'L':
      return (value as readonly JsonObject[]).map((inner) => plain(inner, known));
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
