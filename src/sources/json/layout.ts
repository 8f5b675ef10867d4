import { asBuffer } from '../../io/bytes.ts';
import { withDefaults } from '../../io/json/json-element.ts';
import { isSpace } from '../../io/json/json-fault.ts';
import { parseJsonHead } from '../../io/json/json-head.ts';
import { JsonListScanner } from '../../io/json/json-lists.ts';
import { manifestName } from './dynamo-manifests.ts';
import { isDynamoLine } from './dynamodb.ts';
import { isParquet, isSheet, readsAsJsonLines } from '../../io/input/lines-of-json.ts';
import { ToUtf8 } from '../../io/to-utf8.ts';

/**
 * Layout of the rows in a file.
 *
 * - `lines`: one on each line;
 * - `values`: one after another;
 * - `list`: in an array or object, which may be anywhere in the file's one value.
 */
export type Layout = 'lines' | 'values' | 'list';

/** Facts from the beginning of a file. */
export interface Recognised {
  readonly layout: Layout;
  /** Whether the file's first value is an array. */
  readonly isArray: boolean;
  /** Shown to the user: `one object on each line`. */
  readonly because: string;
  /** Whether the first value ends inside the look. */
  readonly isComplete: boolean;
  /** The first value, as far as it was seen; of an array the elements that are JSON. Nothing if it is broken or too deep. */
  readonly value: unknown;
  /** The same bytes without their byte order mark, as UTF-8. */
  readonly bytes: Buffer;
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;
const lineFeed = 0x0a;

/**
 * @returns undefined if the file begins with neither an object nor an array.
 */
export function recogniseLayout(path: string, beginning: Uint8Array): Recognised | undefined {
  const bytes = asUtf8(beginning);
  const first = bytes[skipSpaces(bytes, 0)];
  if (first !== openBrace && first !== openBracket) return undefined;
  const head = parseJsonHead(bytes);
  const recognised = (layout: Layout, because: string): Recognised => ({
    layout,
    isArray: first === openBracket,
    because,
    isComplete: head?.isComplete ?? false,
    value: head?.value ?? (first === openBracket ? readableElements(bytes) : undefined),
    bytes,
  });
  if (isSheet(path)) return recognised('lines', 'the rows of a sheet');
  if (/\.(?:ndjson|jsonl|jsonlines|ldjson)(?:\.gz)?$/i.test(path)) return recognised('lines', 'the name of the file');
  if (readsAsJsonLines(path))
    return recognised('lines', isParquet(path) ? 'the rows of a Parquet file' : 'one document behind another');
  if (isDynamoLine(head?.value)) return recognised('lines', 'an item of DynamoDB on each line');
  if (first === openBracket) return recognised('list', 'the file is one array');
  if (!head?.isComplete) return recognised('list', 'the file is one object, or begins with a very large one');
  const next = skipSpaces(bytes, head.byteCount, comma);
  if (next === bytes.length) return recognised('list', 'the file is one object');
  const isLine = !bytes.subarray(0, head.byteCount).includes(lineFeed);
  const endsLine = bytes.subarray(head.byteCount, next).includes(lineFeed);
  return isLine && endsLine
    ? recognised('lines', 'one object on each line')
    : recognised('values', 'one object behind another');
}

function asUtf8(bytes: Uint8Array): Buffer {
  const text = new ToUtf8();
  return Buffer.concat([asBuffer(text.push(bytes)), asBuffer(text.end())]);
}

/** One broken element does not make the others strangers. */
function readableElements(bytes: Buffer): readonly unknown[] {
  const elements = new JsonListScanner([], withDefaults({}), 0).push(bytes);
  return elements.flatMap((element) => (element.error === undefined ? [element.value] : []));
}

function skipSpaces(bytes: Buffer, from: number, alsoPassed?: number): number {
  let at = from;
  while (isSpace(bytes[at]) || (alsoPassed !== undefined && bytes[at] === alsoPassed)) at += 1;
  return at;
}

/** Whether a name says that a file holds JSON. */
const isNamedJson = (path: string): boolean =>
  /\.(?:json|ndjson|jsonl|jsonlines|ldjson)(?:\.gz)?$/i.test(path) || readsAsJsonLines(path);

/** Returns whether a file may hold rows: by its name, or because it is the only file. The metadata files of mongodump and DynamoDB hold none. */
export function rowFilesIn(paths: readonly string[]): (path: string) => boolean {
  const ofBson = /\.bson(?:\.gz)?$/i;
  const collections = new Set(paths.filter((path) => ofBson.test(path)).map((path) => path.replace(ofBson, '')));
  const ofDump = /\.metadata\.json(?:\.gz)?$/i;
  const isOfDump = (path: string) =>
    collections.size > 0 &&
    ((ofDump.test(path) && collections.has(path.replace(ofDump, ''))) || /(?:^|\/)prelude\.json(?:\.gz)?$/.test(path));
  return (path) => (isNamedJson(path) || paths.length === 1) && !isOfDump(path) && !manifestName.test(path);
}
