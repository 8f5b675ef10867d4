/** Length that is looked at. Ciphers have no blank among them. */
const lookedMax = 256;
/** Ten bytes in hex, or 15 in base64: less than any block of a cipher takes. */
const lengthMin = 20;
/** Length of a vector or a tag in front of the data. A name of the cipher in front of all may be shorter: `v1:`. */
const partMin = 8;

/** Forms that no words have, by whose cipher writes them. */
const certain: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['as CryptoJS and OpenSSL write it', /^U2FsdGVkX1/],
  ['as Laravel writes it', /^eyJpdiI6/],
  ['as Fernet writes it', /^gAAAA[\w-]{95,}={0,2}$/],
  ['as PGP writes it', /^-----BEGIN PGP MESSAGE/],
  [
    'as Rails writes it',
    /^\{(?=.*"p": ?")(?=.*"h": ?\{).*"iv": ?"|^[\w+/]{8,}={0,2}--[\w+/]{8,}={0,2}(?:--[\w+/]{8,}={0,2})?$/,
  ],
  [
    'JSON with a vector and a cipher',
    /^\{(?=.*"(?:iv|nonce)": ?")(?=.*"(?:ct|cipher\w*|value|data|content|encrypted\w*)": ?")/,
  ],
];
/** Characters with which they begin, and that base64 alone does not tell. */
const mayBegin = /^[{U-]/;

/** Addresses, and files in base64: JPEG, PNG, GIF, PDF, RIFF, ZIP, MP3, Ogg. */
const otherOpenings =
  /^(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.|\/9j\/|iVBORw0KGgo|R0lGOD|JVBERi0|UklGR|UEsDB|SUQz|T2dnUw)/i;

const codeOf = (character: string): number => character.charCodeAt(0);
const cuts: ReadonlySet<number> = new Set([...':.$'].map(codeOf));
/** Base64 has these next to letters and digits. */
const signs: ReadonlySet<number> = new Set([...'+/=-_'].map(codeOf));
const isBetween = (unit: number, first: string, last: string) => unit >= codeOf(first) && unit <= codeOf(last);

/** How an encrypted text is written; `isCertain` if no words begin so. */
export interface CipherForm {
  readonly form: string;
  readonly isCertain: boolean;
}

const [hex, base64, parts] = ['hexadecimal digits', 'base64', 'parts such as iv:tag:data'].map((form) => ({
  form,
  isCertain: false,
})) as [CipherForm, CipherForm, CipherForm];

/**
 * Whether a text looks encrypted: base64, hex, several such parts (`iv:tag:data`), or one of the beginnings that OpenSSL, Laravel, Rails, Fernet and PGP
 * write. Languages without blanks, addresses, files in base64 and UUIDs do not.
 */
export const looksEncrypted = (text: string): boolean => findCipher(text) !== undefined;

export function findCipher(text: string): CipherForm | undefined {
  if (text.length < lengthMin) return undefined;
  const found = scan(text);
  if (found === undefined && !mayBegin.test(text)) return undefined;
  const known = certain.find(([, pattern]) => pattern.test(text));
  if (known) return { form: known[0], isCertain: true };
  return found && !otherOpenings.test(text) ? found : undefined;
}

/** Character by character: every text of a plan is looked at. */
function scan(text: string): CipherForm | undefined {
  const length = Math.min(text.length, lookedMax);
  let [digits, lower, upper, beyondHex, partAt] = [0, 0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isBetween(unit, '0', '9')) digits++;
    else if (isBetween(unit, 'a', 'z')) lower++;
    else if (isBetween(unit, 'A', 'Z')) upper++;
    else if (cuts.has(unit)) {
      if (partAt > 0 && at - partAt < partMin) return undefined;
      partAt = at + 1;
      continue;
    } else if (!signs.has(unit)) return undefined;
    if (!isBetween(unit, '0', '9') && !isBetween(unit, 'a', 'f') && !isBetween(unit, 'A', 'F')) beyondHex++;
  }
  if (partAt > 0 && length === text.length && length - partAt < partMin) return undefined;
  const isHex = beyondHex === 0 && digits > 0 && lower + upper > 0;
  if (!isHex && !(digits > 0 && lower > 0 && upper > 0)) return undefined;
  return partAt > 0 ? parts : isHex ? hex : base64;
}

/** For a column whose other texts are encrypted: base64 of one block may have no digit. */
export const mayBeEncrypted = (text: string): boolean =>
  looksEncrypted(text) ||
  (/^[\w+/-]{16,}={0,2}$/.test(text) && /(?:[A-Z].*){3}/s.test(text) && /(?:[a-z].*){3}/s.test(text));
