import type { ErrorCode } from '../../service/operation.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { badRequest, type Complaint, failure, success } from '../answers.ts';
import { hasTooManyValues, parseJson, valuesMax } from './item-shape.ts';

interface ImportBody {
  /** The only field of the body that counts: an object of items by their keys. */
  readonly field: 'users' | 'groups' | 'members' | 'messages';
  /** For a body that is none. */
  readonly format: ErrorCode;
  readonly itemsMax: number;
}

/** The items of an import, unchecked; only a request that is no import at all is turned down as a whole. */
export function readItems(
  body: string,
  { field, format, itemsMax }: ImportBody,
): { readonly items: object } | TransportAnswer {
  if (hasTooManyValues(body)) return badRequest({ body: [`expected ${valuesMax} values at most`] });
  const parsed = parseJson(body);
  if (parsed === undefined) return badRequest({ body: ['expected JSON'] });
  const items = isObject(parsed) ? parsed[field] : undefined;
  if (!isObject(items)) {
    return failure(400, { code: format, message: `Expected "${field}": an object of ${field} by their keys` });
  }
  const count = Object.keys(items).length;
  return count >= 1 && count <= itemsMax
    ? { items }
    : badRequest({ [field]: [`expected 1 to ${itemsMax}, found ${count}`] });
}

/** @param results by key: the JSON of what was stored, or why it is not. */
export function answerItems(results: readonly (readonly [key: string, result: string | Complaint])[]): TransportAnswer {
  const answers = results.map(([key, result]) => {
    const answer =
      typeof result === 'string'
        ? `{"success":true,"data":${result}}`
        : JSON.stringify({ success: false, error: result });
    return `${JSON.stringify(key)}:${answer}`;
  });
  return success(`{"data":{${answers.join(',')}}}`);
}
