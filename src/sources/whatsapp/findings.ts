import { formatCount } from '../../lib/text/count.ts';
import type { RowProblem } from '../kit/entries.ts';

/** Findings about lines that are not read as written; `codes.ts` explains the codes. */

export const noMessage = 'Expected the beginning of a message, a date and a time, and found something else';
export const undated = (beginning: string): RowProblem => ({
  code: 'whatsapp-bad-time',
  reason: `Expected a date and a time, found ${JSON.stringify(beginning.trim())}`,
});
export const unknownWords = (words: string, beginning: string): RowProblem => ({
  code: 'whatsapp-unknown-clock',
  reason: `Expected a clock of 24 hours, or a half of the day in words that are known, found ${JSON.stringify(words)} in ${JSON.stringify(beginning.trim())}`,
});
export const otherForm = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'line begins' : 'lines begin'} like a message, with the date in another form than the others of this file, and belong to the message above`;
export const absent =
  'The app wrote a note that it does not have the message; the note is left out with the other texts of the app';
export const appOrPerson = (author: string): string =>
  `It is unknown whether "${author.slice(0, 100)}" wrote this line or the app; it is read as written by a person`;
export const sameName: RowProblem = {
  code: 'whatsapp-same-name',
  reason:
    'Other files have the same chat name and fewer than three messages in common with this one; they stay different chats',
};
export const dateOrder: RowProblem = {
  code: 'whatsapp-date-order',
  reason:
    'The order of day and month in this file is unknown; it is read with the day first. Set "dates" in the mapping',
};
