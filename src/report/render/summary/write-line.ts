import { oneLine, truncate } from '../../../lib/text/plain-text.ts';
import { paint } from '../../format.ts';

export interface SummaryOptions {
  /** Width of the terminal. Notes are cut to it; counts, paths and commands never are. */
  readonly columns: number;
  readonly color: boolean;
  readonly reportPath?: string;
  /** Commands that make sense now, most useful first. */
  readonly next?: readonly string[];
}

/** Columns that a note gets even if the line is already full. */
const noteMin = 10;

/** `head`, a gap, and text from outside, cut to what is left of the line. `width` is that of the head without colours. */
export function withNote(head: string, width: number, note: string, options: SummaryOptions): string {
  const text = truncate(oneLine(note), Math.max(noteMin, options.columns - width - 2));
  return text === '' ? head : `${head}  ${paint('dim', text, options)}`;
}
