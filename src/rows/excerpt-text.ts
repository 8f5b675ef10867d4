/** UTF-16 units that are shown: of a row of JSON, of another one, and of each text in it. Enough to recognise it by. */
const rowMax = 400;
const lineMax = 200;
const valueMax = 40;

/**
 * Returns a row of an export, as far as a report may show it: the first 40 characters of texts, the host of addresses,
 * and nothing that looks like a secret or an e-mail address. Empty if nothing can be shown.
 */
export function excerptRow(row: string): string {
  // Bytes of another encoding, or of no text at all.
  if (row.trim() === '' || row.includes('\0')) return '';
  const json = shortenedJson(row);
  if (json !== undefined) return cut(json, rowMax);
  return cut(withoutSecrets(row).replace(longCell, '$1…'), lineMax);
}

/** A value of a row, as far as a report may show it. @param name Of its column. */
export const excerptValue = (name: string, text: string): string =>
  secretName.test(name) ? '…' : cut(withoutSecrets(text), valueMax);

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();

/** Text between the characters that may separate the cells of a table. */
const longCell = /([^,;|\t"]{40})[^,;|\t"]+/g;

/** Returns the row with each text cut; undefined if it is no JSON. */
function shortenedJson(row: string): string | undefined {
  try {
    const text = JSON.stringify(JSON.parse(row, exactNumber as Reviver), (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      if (secretName.test(key)) return '…';
      return cut(withoutSecrets(value), valueMax);
    });
    return withoutSecrets(text);
  } catch {
    return undefined;
  }
}

type Reviver = (key: string, value: unknown) => unknown;

/** A number that JavaScript would round is shown with the digits of the row. */
const exactNumber = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? source : value;

const secretName = /token|secret|passw|pwd|api.?key|auth(?!or(?!i[sz]))|credential|cookie|signature/i;
const secretPair =
  /((?:token|secret|passw(?:or)?d|pwd|api[_-]?key|authorization|credential|cookie|signature)["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer\s|basic\s)?)[^"',;\s&}]+/gi;
const knownToken = /\b(?:xox[a-z]-|gh[opsu]_|sk-|AKIA|eyJ\w{5})[\w.-]+/g;
/** With the slashes as JSON may write them. */
const address = /\b([a-z][a-z0-9+.-]{1,15}:(?:\\?\/){2})(?:[^\s"'<>/\\@]{0,200}@)?([^\s"'<>/\\?#@]{0,253})[^\s"'<>]*/gi;
const mail = /(?<![\w.+-])[\w.+-]+@[\w.-]+/g;

/** Name and host of an address, never the whole: it may hold a secret. */
const withoutSecrets = (text: string): string =>
  text.replace(address, '$1$2/…').replace(knownToken, '…').replace(secretPair, '$1…').replace(mail, '…@…');
