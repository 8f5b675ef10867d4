import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/plain-text.ts';
import type { Finding, Proposal } from '../source.ts';

/** Findings that an error shows; `chatferry init` shows them all. */
const shownMax = 12;

/** What to say of an export whose mapping does not say which column is what: what the columns look like, and what to do. */
export function unboundMessages(source: string, { findings }: Proposal): SourceError {
  const shown = findings.slice(0, shownMax).map(lineOf);
  const more = findings.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `\n  ${line}`);
  return new SourceError(
    `Cannot read this export without a mapping that says which column is what; it looks like this:${lines.join('')}`,
    { hint: `Run "chatferry init" with the export, or write "source:" in a mapping: docs/${source}.md` },
  );
}

function lineOf({ key, value, because, alternatives }: Finding): string {
  const chosen = value === undefined ? 'not found' : typeof value === 'string' ? value : JSON.stringify(value);
  const others = alternatives.map((other) => JSON.stringify(other.value)).join(', ');
  return truncate(oneLine(`${key}: ${chosen} (${because}${others === '' ? '' : `; could also be ${others}`})`), 160);
}
