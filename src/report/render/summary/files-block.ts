import { displayWidth, oneLine } from '../../../lib/text/plain-text.ts';
import type { MediaData, ReportData } from '../../report-data.ts';
import { formatBytes } from '../../../lib/text/quantity.ts';
import {
  countOf,
  formatCount,
  paint,
  copyingCosts,
  expiryText,
  mediaSum,
  hostLabel,
  notInExportText,
} from '../../format.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

/**
 * Returns the block about what became of files, and what copying the others takes; for `status` only the sum. Empty if
 * none are to be copied.
 */
export function filesBlock({ media, command }: ReportData, options: SummaryOptions): readonly string[] {
  if (!media) return [];
  const sum = media.files === 0 ? [] : [line('Files', mediaSum(media), describeLocation(media), options)];
  if (command === 'status') return sum;
  const { waitingMessages } = media;
  return [
    ...sum,
    ...further('To copy', copyingCosts(media), options),
    ...further('Expiring', expiryText(media), options),
    ...further('Waiting', waitingMessages > 0 ? `${countOf(waitingMessages, 'message')} for their files` : '', options),
    ...further('Nowhere', notInExportText(media), options),
    ...faultLines(media, options),
  ];
}

function describeLocation({ location, copied, copiedBytes }: MediaData): string {
  const size = copied > 0 ? `${formatBytes(copiedBytes)} ` : '';
  return location === null ? size.trimEnd() : `${size}${copied > 0 ? 'at' : 'to'} ${location}`;
}

const shownMax = 3;

function faultLines({ faults, faultCount }: MediaData, options: SummaryOptions): readonly string[] {
  const shown = faults.slice(0, shownMax);
  const rest = faultCount - shown.length;
  return [
    ...shown.map(({ state, name, host, reason, location }) => {
      const [outcome, place] = [oneLine(state), oneLine(location)];
      const head = `  ${paint('yellow', outcome, options)}  ${place}`;
      const note = `${name} (${hostLabel(host)}): ${reason}`;
      return withNote(head, 4 + displayWidth(outcome) + displayWidth(place), note, options);
    }),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report`] : []),
  ];
}

const further = (label: string, text: string, options: SummaryOptions): readonly string[] =>
  text === '' ? [] : [line(label, text, '', options)];

function line(label: string, text: string, note: string, options: SummaryOptions): string {
  const head = `${paint('bold', label.padEnd(10), options)}  ${text}`;
  return withNote(head, 12 + text.length, note, options);
}
