import { inspect } from 'node:util';
import { trimEnd } from './plain-text.ts';

const mask = '[redacted]';

/**
 * A value that must never be printed: joined to text, logged, inspected or turned into JSON it reads `[redacted]`.
 * `reveal` is called in one place, where the request header is made.
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

  [inspect.custom](): string {
    return mask;
  }
}

/** The text without the secrets' values, nor their URL-encoded, base64 and JSON-escaped spellings. */
export function redact(text: string, secrets: readonly Secret[]): string {
  let safe = text;
  for (const secret of secrets) {
    for (const spelling of spellings(secret.reveal())) safe = safe.replaceAll(spelling, mask);
  }
  return safe;
}

function spellings(value: string): readonly string[] {
  if (value === '') return [];
  const base64 = trimEnd(Buffer.from(value).toString('base64'), '=');
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1), base64];
}
