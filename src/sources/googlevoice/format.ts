import { hasClass, type HtmlElement } from '../kit/text/html-elements.ts';

/**
 * Pages of Google Voice as Google Takeout has them: `Takeout/Voice/Calls/Ann Ray - Text - 2026-03-02T09_00_00Z.html`, one for each stretch
 * of a conversation and for each call. Google documents them nowhere; what is known of them is in
 * https://github.com/wjcarpenter/gvoice-sms-takeout-xml (README), https://github.com/moshekaplan/google-voice-takeout-parser,
 * https://github.com/lbeder/google-voice-takeout-merger and https://github.com/kenn-io/msgvault (`internal/gvoice`); looked at 2026-11.
 *
 *     <div class="hChatLog hfeed"><div class="participants">Group conversation with: <cite class="sender vcard">…</cite>, …</div>
 *     <div class="message"><abbr class="dt" title="2026-03-02T09:00:00.123-05:00">…</abbr>: <cite class="sender vcard"><a class="tel"
 *     href="tel:+15555550101"><span class="fn">Ann Ray</span></a></cite>: <q>Is the pier<br>open?</q> <div><img src="…" /></div></div></div>
 *     <div class="tags">Labels: <a rel="tag" href="http://www.google.com/voice#sms">Text</a></div>
 *     <div class="deletedStatusContainer">User Deleted: False</div>
 *
 * - Oneself is `<abbr class="fn">Me</abbr>`, others are `<span class="fn">` with a name or a number.
 * - `participants` has the others of a group. A page in which only oneself wrote does not say to which number: its name has the name.
 * - A file is named without its ending: `<img src="Group Conversation - 2026-03-02T09_00_00Z-2-1">` is a `.jpg`. Videos and contacts are
 *   `<a class="video">` and `<a class="vcard">`.
 * - A call or voicemail is a `<div class="haudio">` with `contributor`, `abbr.published`, `abbr.duration title="PT1M5S"`, `span.full-text` with
 *   the transcript, and `audio`. Labels say what it is, in every language: `…#placed`, `#received`, `#missed`, `#voicemail`, `#recorded`.
 * - A number may be missing: `href="tel:"`.
 * - Spam is in `Voice/Spam`, next to `Voice/Calls`.
 */

/** One's own id. */
export const self = 'self';

const pageName = /(?:^|\/)([^/]*) - \d{4}-\d\d-\d\dT\d\d_\d\d_\d\dZ?\.html?$/;

export const isPageName = (path: string): boolean => pageName.test(path);

/** The name before a page's kind and time: a contact, a number, or nothing. */
export function nameInPath(path: string): string {
  const parts = (pageName.exec(path)?.[1] ?? '').split(/(?:^| )- /);
  return (parts.length > 1 ? parts.slice(0, -1) : parts).join(' - ').trim();
}

const parts: ReadonlySet<string> = new Set(['message', 'participants', 'haudio', 'tags', 'deletedStatusContainer']);

/** The parts of a page, none inside another. */
export const isPart = (name: string, { class: kind = '' }: HtmlElement['attributes']): boolean =>
  name === 'div' && kind.split(/\s+/).some((one) => parts.has(one));

/** Number of a person: digits, of a short code fewer; empty if it is missing. */
export const numberIn = (tel: HtmlElement | undefined): string =>
  (tel?.attributes.href ?? '')
    .replace(/^tel:/, '')
    .replace(/^%2B/i, '+')
    .replace(/^\++/, '+')
    .replace(/[\s()-]/g, '')
    .replace(/^\+$/, '');

export const isNumber = (text: string): boolean => /^\+?\d{3,}$/.test(text);

/** Labels in the addresses of their links. */
export const labelsIn = (links: readonly HtmlElement[]): readonly string[] =>
  links.flatMap(({ attributes }) => /#([\w-]{1,40})$/.exec(attributes.href ?? '')?.[1]?.toLowerCase() ?? []);

export const isTel = (element: HtmlElement): boolean => element.name === 'a' && hasClass(element, 'tel');

/** Milliseconds of `PT1H2M3S`. */
export function durationMs(text: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^PT(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?$/.exec(text ?? '') ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  return ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
}
