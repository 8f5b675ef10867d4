import { errorCodes } from './contract/errors.ts';
import type { Note, Operation, RateClass } from './contract/operation.ts';
import { publicRatesPerMinute } from './contract/rates.ts';

/** What is to be known of an operation beyond its shapes, as Markdown. */
export function describeOperation({ notes = [], itemErrors = [], deprecated, rateClass }: Operation): string {
  const paragraphs = [
    ...(deprecated === undefined ? [] : [`Deprecated. ${deprecated}`]),
    ...notes.map(({ from, says }) => `${sources[from]}: ${says}`),
    ...(itemErrors.length === 0 ? [] : [`Inside an answer single items may be refused: ${sentenceOf(itemErrors)}.`]),
    `The public service allows ${rateText(rateClass)}.`,
  ];
  return paragraphs.join('\n\n');
}

/** Whose word a note is. */
const sources: Readonly<Record<Note['from'], string>> = {
  specification: 'Specification',
  public: 'Public service',
  assumed: 'Assumed',
};

const sentenceOf = (codes: NonNullable<Operation['itemErrors']>) =>
  codes.map((code) => `\`${code}\` (${errorCodes[code].means})`).join(', ');

function rateText(rateClass: RateClass): string {
  const count = publicRatesPerMinute[rateClass].toLocaleString('en');
  return rateClass === 'send' ? `${count} such requests per minute and sender` : `${count} requests per minute`;
}
