/** An object as JSON has it: any key, any value. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What an object stands for that is only the wrapping which a database put around a value. */
export interface Unwrapped {
  readonly plain: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's first key: enough to know almost every object that is no wrapping. */
export function firstKey(object: JsonObject): string | undefined {
  for (const key in object) return key;
  return undefined;
}

/** A whole number as a number if a number can hold it, else its digits; anything else as it is. */
export function wholeNumber(written: unknown): unknown {
  if (typeof written !== 'string' || !/^-?\d{1,40}$/.test(written)) return written;
  const number = Number(written);
  return Number.isSafeInteger(number) && String(number) === written ? number : written;
}

/** `2026-03-01T10:00:00.123Z`; nothing where no date can be that many milliseconds away from 1970. */
export function isoTime(epochMs: unknown): string | undefined {
  const milliseconds = typeof epochMs === 'string' ? wholeNumber(epochMs) : epochMs;
  if (typeof milliseconds !== 'number' || Math.abs(milliseconds) > 8.64e15) return undefined;
  return new Date(milliseconds).toISOString();
}
