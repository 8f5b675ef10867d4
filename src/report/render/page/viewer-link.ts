import { html, type SafeHtml } from '../../../lib/html.ts';
import { isSandbox, type ReportData } from '../../report-data.ts';
import { code } from './elements.ts';

/** Whether what arrived can be looked at: it is in the sandbox of this machine. */
export const isInViewer = ({ destination, command }: ReportData): boolean =>
  destination !== null && isSandbox(destination) && command !== 'plan';

/** To the message that was made of what stands at a place of the export. The port is that of `chatferry sandbox` unless it is told another. */
export const linkToViewer = (place: string, words: string): SafeHtml =>
  html`<a href="http://127.0.0.1:4000/viewer#/m/${encodeURIComponent(place.toWellFormed())}">${code(words)}</a>`;

export const howToSee: SafeHtml = html`Examples are links to the messages as they arrived: they lead there while ${code('chatferry sandbox --open')} runs with the data file of this import.`;
