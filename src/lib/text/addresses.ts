/**
 * Splits a field that holds several addresses: `+15550100001 +15550100002`, `ann@example.com; ben@example.com`, `7,9`.
 *
 * Only commas and semicolons divide ids: others are a part of some, such as `auth0|7`. Blanks are a part of some numbers, such as
 * `+44 7700 900123`.
 *
 * @returns the value itself if it is no list of addresses.
 */
export function splitAddresses(value: string): readonly string[] {
  const listed = divide(value, /[,;]/);
  if (listed.length > 1 && listed.every((part) => isMail.test(part) || isId.test(part.replace(/[\s().]/g, ''))))
    return listed;
  const whole = divide(value, /[\s|~]/);
  return whole.length > 1 && whole.every((part) => isMail.test(part) || isNumber.test(part)) ? whole : [value];
}

const divide = (value: string, separator: RegExp): readonly string[] =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isMail = /^[^\s@]+@[^\s@]+$|<[^\s@<>]+@[^\s@<>]+>$/;
/** A telephone number, or an id with a digit. */
const isId = /^\+?(?=[\w-]*\d)[\w-]+$/;
const isNumber = /^\+?\d{7,15}$/;
