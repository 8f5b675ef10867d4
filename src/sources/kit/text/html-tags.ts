import type { LostPart } from '../../../model/lost-parts.ts';

const bold = { b: '**', strong: '**', summary: '**' };
const headings = { h1: '**', h2: '**', h3: '**', h4: '**', h5: '**', h6: '**' };
const italic = { i: '*', em: '*', cite: '*', var: '*', dfn: '*' };
const struck = { s: '~~', del: '~~', strike: '~~' };
const code = { code: '`', tt: '`', kbd: '`', samp: '`' };

/** Marks of styles. They touch the text, and are closed and opened again around the end of a line. */
export const styles: Readonly<Record<string, string>> = { ...bold, ...headings, ...italic, ...struck, ...code };

type Breaks = Readonly<Record<string, 1 | 2>>;
const sections: Breaks = { div: 1, section: 1, article: 1, aside: 1, header: 1, footer: 1, main: 1, nav: 1 };
const smallBlocks: Breaks = { address: 1, center: 1, figure: 1, figcaption: 1, caption: 1, dt: 1, dd: 1, summary: 1 };
const formParts: Breaks = { form: 1, fieldset: 1, legend: 1, option: 1 };
const paragraphs: Breaks = { p: 2, dl: 2, details: 2, hr: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2 };

/** Line breaks before and after: 2 make a paragraph. `tr` is that of a table that nothing opened. */
export const blocks: Breaks = { ...sections, ...smallBlocks, ...formParts, tr: 1, ...paragraphs };

/** Elements whose content is left out. */
export const hidden: ReadonlySet<string> = new Set(['script', 'style', 'iframe', 'noembed', 'noframes']);

/** Blocks of code, in which line breaks and spaces count. */
export const codeBlocks: ReadonlySet<string> = new Set(['pre', 'codeblock', 'listing', 'xmp']);

/** Elements that show something of another address. */
export const media: ReadonlySet<string> = new Set(['img', 'video', 'audio', 'source', 'embed', 'object', 'iframe']);

/** Attributes that matter to a reader. */
export const usefulAttributes: ReadonlySet<string> = new Set([
  ...['href', 'alt', 'src', 'data', 'title', 'start', 'value', 'class', 'type', 'checked', 'color', 'style'],
]);

/** The part of a message that is lost with a tag: Markdown has no mark for it. */
export function lostWith(name: string, attributes: ReadonlyMap<string, string>): LostPart | undefined {
  if (name === 'u' || name === 'ins') return 'underlines';
  if (name === 'sub' || name === 'sup' || name === 'mark') return 'styles';
  if (name === 'font' && attributes.has('color')) return 'styles';
  return name === 'span' && /color/i.test(attributes.get('style') ?? '') ? 'styles' : undefined;
}

/** Number that an attribute of a list says; CommonMark takes up to nine digits. */
export function listNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}

/** Language of a block of code: `language-python`, or, in Teams, `Python`. */
export function findLanguage(name: string, attributes: ReadonlyMap<string, string>): string {
  const said = attributes.get('class') ?? '';
  const found = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})(?:\s|$)/.exec(said)?.[1];
  return (found ?? (name === 'codeblock' && /^[\w+#.-]{1,30}$/.test(said) ? said : '')).toLowerCase();
}

/** A text in an element or an attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
