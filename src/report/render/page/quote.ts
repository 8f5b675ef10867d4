import { html, type SafeHtml } from '../../../lib/html.ts';

/** UTF-16 units. One message can be megabytes; the page shows enough to recognise it. */
const lengthMax = 1_000;

/** Text from an export or a server: in its own direction, cut to a readable length, and named where it is empty. */
export function quote(text: string): SafeHtml {
  if (text.trim() === '') return html`<i class="zero">(empty)</i>`;
  return html`<bdi>${cut(text)}</bdi>`;
}

/** The same for paths, ids and codes. */
export function code(text: string): SafeHtml {
  return html`<code><bdi>${cut(text)}</bdi></code>`;
}

function cut(text: string): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}… (cut, ${text.length} characters)`;
}
