import { isObject } from '../../lib/maps/objects.ts';
import { parseAnswer } from '../outcome.ts';

export interface ServiceError {
  readonly code: string;
  readonly message: string;
}

/** The error of a whole answer: `{"error":{"code":…,"message":…}}`. Nothing if the body is not the service's own. */
export function readErrorBody(body: string): ServiceError | undefined {
  const parsed = parseAnswer(body);
  if (!isObject(parsed) || !isObject(parsed.error)) return undefined;
  const { code } = parsed.error;
  return typeof code === 'string' && isCode(code) ? { code, message: fullMessage(parsed.error) } : undefined;
}

/**
 * Returns the error of one item of an import. Its shape is not documented: `error` may be an object, an object in an
 * object or a sentence, and may be missing, with code and message next to `success`.
 */
export function readItemError(item: Readonly<Record<string, unknown>>): ServiceError {
  const data = isObject(item.data) ? item.data : {};
  for (const candidate of [item.error, data.error, data, item]) {
    const found = parseError(candidate);
    if (found) return found;
  }
  return { code: 'unnamed_error', message: 'The service refused it without saying why' };
}

function parseError(candidate: unknown): ServiceError | undefined {
  if (typeof candidate === 'string' && candidate !== '') {
    return {
      code: /\b(?:AUTH_)?ERR_[A-Z0-9_]+\b/.exec(candidate)?.[0] ?? 'unnamed_error',
      message: shorten(candidate),
    };
  }
  if (!isObject(candidate)) return undefined;
  const { code, message, error } = candidate;
  if (typeof code === 'string' && isCode(code)) return { code, message: fullMessage(candidate) };
  if (isObject(error)) return parseError(error);
  return typeof message === 'string' ? parseError(message) : undefined;
}

/** The message, and of a failed validation what it says about each field. */
function fullMessage(error: Readonly<Record<string, unknown>>): string {
  const message = typeof error.message === 'string' ? error.message : '';
  if (!isObject(error.details)) return shorten(message);
  const fields = Object.entries(error.details).map(([field, words]) => `${field}: ${String(words)}`);
  return shorten([message, ...fields].filter((part) => part !== '').join('; '));
}

/** A code and not a sentence: it becomes a key of reports. */
const isCode = (code: string): boolean => /^[A-Za-z0-9_.-]{1,80}$/.test(code);

const shorten = (text: string): string => (text.length > 500 ? `${text.slice(0, 499)}…` : text).toWellFormed();
