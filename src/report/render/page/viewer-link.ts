import { html, link, type SafeHtml } from '../../../lib/text/html.ts';
import { viewerAddress } from '../../../lib/viewer-address.ts';
import { isSandbox, type ReportData } from '../../report-data.ts';
import { code } from './elements.ts';

/** Whether what arrived can be looked at: it is in the sandbox of this machine. */
export const isInViewer = ({ destination, command }: ReportData): boolean =>
  destination !== null && isSandbox(destination) && command !== 'plan';

/** A link to the message that was read at a location of the export. */
export const linkToViewer = (location: string, words: string): SafeHtml =>
  link(new URL(`${viewerAddress}#/m/${encodeURIComponent(location.toWellFormed())}`), code(words));

/** What has to run, and what to do where it has another port. */
export function howToSee({ store }: ReportData): SafeHtml {
  const command = `chatferry sandbox --open --data ${store.replace(/\.db$/, '')}.sandbox.db`;
  return html`Examples are links to the messages as they arrived, at ${code(viewerAddress)}: they lead there while ${code(command)} runs, or the import itself with ${code('--open')}. On another port, look for the place in the search of that page.`;
}
