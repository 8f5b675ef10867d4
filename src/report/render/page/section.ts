import { html, type SafeHtml } from '../../../lib/html.ts';

/** A part of the page that the contents list leads to. */
export interface Section {
  /** One of ours, never from data: it becomes an anchor. */
  readonly id: string;
  readonly title: string;
  readonly body: SafeHtml;
}

export function renderSection({ id, title, body }: Section): SafeHtml {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}

/** Says in words that there is nothing to show. */
export const emptyNote = (sentence: string): SafeHtml => html`<p class="empty">${sentence}</p>`;
