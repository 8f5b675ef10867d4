import { html, type HtmlValue, type SafeHtml } from '../../../lib/html.ts';

/** Names and what they stand for, one pair a line. */
export function facts(pairs: readonly (readonly [name: string, value: HtmlValue])[]): SafeHtml {
  return html`<dl class="facts">${pairs.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>`;
}
