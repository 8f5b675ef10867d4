/**
 * HTML that cannot be injected into: text becomes markup only through the template below, which escapes every value.
 * There is no way to pass raw markup, on purpose.
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Characters with a meaning in HTML, followed by characters that a reader cannot see: controls (without tab, LF, CR) and bidi controls. */
const special =
  /[&<>"'`]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for element content and quoted attribute values. Invisible characters are named (`⟦U+202E⟧`): one of them can
 * make `exe.html` read as `html.exe`. Half a surrogate pair becomes U+FFFD, as it would in the file anyway.
 */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replace(special, (character) => entities[character] ?? codePointLabel(character));

const codePointLabel = (character: string): string =>
  `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`;

/** Escaped markup. The class stays in this file, so only the functions below can make one. */
class SafeHtml {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}
export type { SafeHtml };

/** Values that a template takes: text and numbers are escaped, markup and lists of it are joined. */
export type HtmlValue = string | number | SafeHtml | readonly HtmlValue[];

/** `html\`<td>${name}</td>\``. Throws a TypeError where escaping would not be enough: see `checkPlaces`. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  checkPlaces(literals);
  let markup = literals[0] ?? '';
  for (const [index, value] of values.entries()) markup += render(value) + (literals[index + 1] ?? '');
  return new SafeHtml(markup);
}

/** A link. The address is a `URL`, so that text cannot become one unnoticed. @throws TypeError unless it is http(s). */
export function link(address: URL, content: HtmlValue): SafeHtml {
  if (!/^https?:$/.test(address.protocol))
    throw new TypeError(`Cannot link to "${address.protocol}": expected http or https`);
  return new SafeHtml(`<a href="${escapeHtml(address.href)}">${render(content)}</a>`);
}

/** No markup at all, for the other branch of a condition. */
export const nothing: SafeHtml = new SafeHtml('');

/** A style element with a stylesheet of ours. Its text is not escaped, so it must not hold a `<`. */
export function styleElement(css: string): SafeHtml {
  if (css.includes('<')) throw new TypeError('Cannot make a style element: the stylesheet contains "<"');
  return new SafeHtml(`<style>${css}</style>`);
}

/** A script element with a script of ours, never with a value. Its text is not escaped, so it must not hold a `<`. */
export function scriptElement(script: string): SafeHtml {
  if (script.includes('<')) throw new TypeError('Cannot make a script element: the script contains "<"');
  return new SafeHtml(`<script>${script}</script>`);
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number' || value instanceof SafeHtml) return String(value);
  return value.map(render).join('');
}

const unquoted = /<[a-z][^<>]*=\s*$/i;
/** Attributes whose value is run or fetched. `href="#…` leads no further than this page and is allowed. */
const active = /<[a-z][^<>]*\s(?:href|src|srcset|srcdoc|style|action|formaction|on\w+)\s*=\s*(?:"[^"#]*|'[^'#]*)$/i;
const rawText = /<(?:script|style)\b/i;
const checked = new WeakSet<TemplateStringsArray>();

/** Refuses a value in an unquoted attribute, in one that is run or fetched, and any script or style. Once per template. */
function checkPlaces(literals: TemplateStringsArray): void {
  if (checked.has(literals)) return;
  let before = '';
  for (const [index, literal] of literals.entries()) {
    before += literal;
    const isLast = index === literals.length - 1;
    const isWrong = rawText.test(literal) || (!isLast && (unquoted.test(before) || active.test(before)));
    if (isWrong) throw new TypeError(`Cannot escape a value at this place of a template: "${before.slice(-40)}"`);
    before += 'x';
  }
  checked.add(literals);
}
