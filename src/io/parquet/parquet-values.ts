import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';

/** Makes a value of JSON from one that the package has read. */
export type ToJson = (value: unknown) => unknown;

/**
 * How the package reads values that it would change: times stay exact as text, and bytes and decimals stay bytes. `toJson` makes values of
 * JSON from these.
 */
export const exactParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (count) => instant(count, 3),
  timestampFromMicroseconds: (count) => instant(count, 6),
  timestampFromNanoseconds: (count) => instant(count, 9),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  jsonFromBytes: (bytes) => bytes && textOrBase64(bytes),
  stringFromBytes: (bytes) => bytes && textOrBase64(bytes),
  uuidFromBytes: (bytes) => bytes,
};

/** The schema in which decimals have no annotation: the package would divide them as numbers. The elements of `schema` stay as they are. */
export const withRawDecimals = (schema: readonly SchemaElement[]): SchemaElement[] =>
  schema.map((element) => {
    if (!isDecimal(element)) return element;
    const { converted_type: _converted, logical_type: _logical, ...raw } = element;
    // Bytes without an annotation may be a text; those of a UUID are left alone.
    return /BYTE_ARRAY$/.test(element.type ?? '') ? { ...raw, logical_type: { type: 'UUID' } } : raw;
  });

const isDecimal = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'DECIMAL' || logical?.type === 'DECIMAL';

/** @param tree Of one column, with its annotations. */
export function toJson({ element, children }: SchemaTree): ToJson {
  const isList = element.converted_type === 'LIST' && children.length === 1;
  const isMap = element.converted_type === 'MAP' && children[0]?.children.length === 2;
  if (isMap) return fieldsToJson(() => toJson(children[0]!.children[1]!));
  if (isList) {
    const [repeated] = children as [SchemaTree];
    return listToJson(toJson(repeated.children.length === 1 ? repeated.children[0]! : repeated));
  }
  if (children.length > 0) {
    const byName = new Map(children.map((child) => [child.element.name, child]));
    return repeatedOr(
      element,
      fieldsToJson((name) => toJson(byName.get(name)!)),
    );
  }
  return repeatedOr(element, leaf(element));
}

const repeatedOr = (element: SchemaElement, one: ToJson): ToJson =>
  element.repetition_type === 'REPEATED' ? listToJson(one) : one;

const listToJson =
  (element: ToJson): ToJson =>
  (value) =>
    Array.isArray(value) ? value.map((inner) => element(inner)) : value === undefined ? null : element(value);

function fieldsToJson(findReader: (name: string) => ToJson): ToJson {
  const readers = new Map<string, ToJson>();
  return (value) => {
    if (Array.isArray(value)) return value.map(fieldsToJson(findReader));
    if (typeof value !== 'object' || value === null) return null;
    // Pairs, so that a key "__proto__" stays a key.
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const reader = readers.get(name) ?? findReader(name);
        if (readers.size < 1000) readers.set(name, reader);
        return [name, reader(inner)];
      }),
    );
  };
}

function leaf(element: SchemaElement): ToJson {
  const logical = element.logical_type;
  if (isDecimal(element)) return (value) => decimal(value, element.scale ?? 0);
  if (logical?.type === 'UUID') return (value) => (value instanceof Uint8Array ? uuid(value) : null);
  const isLocal = logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC === false;
  if (isLocal) return (value) => (typeof value === 'string' ? value.replace(/Z$/, '') : null);
  return plain;
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return textOrBase64(value);
  if (value instanceof Date) return value.toISOString();
  return value;
}

function decimal(value: unknown, scale: number): string | null {
  if (value === undefined || value === null) return null;
  const unscaled = value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${unscaled < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

/** Two's complement, the highest byte first. */
const signed = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));

const uuid = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Columns of bytes hold text as a rule, without saying so. */
function textOrBase64(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}

/** ISO 8601 with all digits that there are. @param count Of units since 1970, as many to a second as `digits` say. */
function instant(count: bigint, digits: 3 | 6 | 9): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((count % perSecond) + perSecond) % perSecond;
  const seconds = (count - fraction) / perSecond;
  const isDate = seconds >= -8_640_000_000_000n && seconds <= 8_640_000_000_000n;
  if (!isDate) return String(count);
  const [whole] = new Date(Number(seconds) * 1000).toISOString().split('.');
  return `${whole}.${String(fraction).padStart(digits, '0')}Z`;
}
