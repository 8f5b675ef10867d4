import { isObject } from '../../service/client/answers/parse-answer.ts';

/** Makes a number that is written as it was read. Node has it; the types of the language do not yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** JSON, indented. Numbers keep all their digits: one that is too long for a double may be an id. */
export function indentJson(json: string): string {
  return JSON.stringify(JSON.parse(json, keepDigits), undefined, 2);
}

function keepDigits(_key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value;
}

/** Whether an answer that is a success says of the request, or of an item in it, that it was refused. */
export function hasRefusal(answer: unknown): boolean {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) return false;
  const accepted = isObject(data.accepted) ? Object.values(data.accepted) : [];
  return [data, ...Object.values(data), ...accepted].some((item) => isObject(item) && item.success === false);
}
