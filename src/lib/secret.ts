import { inspect } from 'node:util';
import { UsageError } from './errors.ts';
import { trimEnd } from './text/plain-text.ts';

const mask = '[redacted]';

/**
 * A value that must never be printed: joined to text, logged, inspected or turned into JSON it reads `[redacted]`.
 * `reveal` is called in one place only, to build the request header.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  /** @internal */
  [inspect.custom](): string {
    return mask;
  }
}

/**
 * A key as code gives it. Blanks around a text are no part of it, so that the content of a file may be passed as it is.
 *
 * @returns Undefined for a blank text: a variable that is not set.
 * @throws UsageError for anything else than a text or a `Secret`; the error does not show the value.
 */
export function toSecret(key: string | Secret | undefined): Secret | undefined {
  if (key === undefined || key instanceof Secret) return key;
  if (typeof key !== 'string')
    throw new UsageError(`apiKey must be a string or a Secret (got: ${key === null ? 'null' : typeof key})`);
  return key.trim() === '' ? undefined : new Secret(key.trim());
}

/** The text without the secrets' values, nor other spellings of them: URL-encoded, JSON-escaped, base64, hex, backwards. */
export function redact(text: string, secrets: readonly Secret[]): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(maskPattern(secret), mask);
  return safe;
}

/** Minimum length, in characters, from which on a value never occurs by chance, in any spelling: keys are longer. */
const lengthMin = 16;

/** Returns an id without the secret. A short secret occurs in ids by chance, and ids are compared: those stay unchanged. */
export const redactId = (id: string, secret: Secret): string =>
  secret.reveal().length < lengthMin ? id : redact(id, [secret]);

const patterns = new WeakMap<Secret, RegExp>();

function maskPattern(secret: Secret): RegExp {
  const known = patterns.get(secret);
  if (known) return known;
  const value = secret.reveal();
  // A short value is only searched in its own spelling: its other spellings could occur anywhere.
  const isLong = value.length >= lengthMin;
  const all = [...usual(value), ...(isLong ? others(value) : [])].filter((spelling) => spelling !== '');
  // The longest first: one may begin with another. An empty list matches nothing.
  const alternatives = all.sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(alternatives.join('|') || '(?!)', isLong ? 'gi' : 'g');
  patterns.set(secret, pattern);
  return pattern;
}

const usual = (value: string): readonly string[] => [
  value,
  encodeURIComponent(value.toWellFormed()),
  JSON.stringify(value).slice(1, -1),
  trimEnd(Buffer.from(value).toString('base64'), '='),
];

function others(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  // In a longer text, base64 depends on the position at which the value begins: uses the part that belongs to the value
  // alone, for each of the three positions.
  const base64 = [0, 1, 2].flatMap((offset) => {
    const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)];
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    return (['base64', 'base64url'] as const).map((spelling) => padded.toString(spelling).slice(start, end));
  });
  return [...base64, bytes.toString('hex'), [...value].reverse().join('')];
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
