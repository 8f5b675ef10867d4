import { html, type HtmlValue, type SafeHtml } from '../../../lib/html.ts';
import { countOf, formatCount, formatUtc } from '../format.ts';
import type { ReportData } from '../../report-data.ts';
import { facts } from './facts.ts';
import { code, quote } from './quote.ts';
import type { Section } from './section.ts';

/** Where the numbers come from, so that somebody else can make them again. */
export function provenanceSection(data: ReportData): Section {
  const pairs: readonly (readonly [string, HtmlValue])[] = [
    [data.exports.length === 1 ? 'Export' : 'Exports', exports(data.exports)],
    ['Source', quote(data.source)],
    ['Workspace', data.workspace === '' ? 'none' : code(data.workspace)],
    ['Files', files(data.files)],
    ['Destination', data.destination === null ? 'none named' : code(data.destination.name)],
    ['Profile', data.destination === null ? 'none' : code(data.destination.profile)],
    ...(data.pins === null ? [] : [['Pinned by', pinned(data.pins)] as const]),
    ['Checkpoint store', code(data.store)],
    ['Command', code(data.command)],
    ['Run', data.runId === null ? 'none' : code(data.runId)],
    ['Written', formatUtc(data.generatedAtMs)],
    ['Chatferry', quote(data.chatferryVersion)],
  ];
  return { id: 'provenance', title: 'Where this comes from', body: facts(pairs) };
}

function exports(labels: readonly string[]): SafeHtml {
  if (labels.length === 0) return html`none`;
  return html`<ul>${labels.map((label) => html`<li>${code(label)}</li>`)}</ul>`;
}

function files({ shared, rows, skipped, unknown }: ReportData['files']): string {
  const known = `${countOf(rows, 'file')} with messages, ${formatCount(shared)} that they refer to`;
  return `${known}, ${formatCount(skipped)} known and not needed, ${formatCount(unknown)} unknown`;
}

/** Digests: the same ones mean the same export, mapping and profile. */
const pinned = (pins: NonNullable<ReportData['pins']>): SafeHtml =>
  html`export ${code(pins.export)}, mapping ${code(pins.mapping)}, profile ${code(pins.profile)}`;
