import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, type SafeHtml, scriptElement, styleElement } from '../lib/text/html.ts';
import { assetFile } from '../lib/package-files.ts';
import { actionsSection, driftSection } from './render/page/after-messages-section.ts';
import { arrivalsSection } from './render/page/arrivals-section.ts';
import { patterns, renderSection, type Section } from './render/page/elements.ts';
import { totalsSection } from './render/page/totals-section.ts';
import { contentSection } from './render/page/content-section.ts';
import { conversationsSection } from './render/page/conversations-section.ts';
import { decisionsSection } from './render/page/decisions-section.ts';
import { filesSection } from './render/page/files-section.ts';
import { attentionSection, lossesSection, skippedSection } from './render/page/groups-section.ts';
import { header, provenanceSection } from './render/page/header.ts';
import { readRowsSection } from './render/page/read-rows-section.ts';
import { sendingSection } from './render/page/sending-section.ts';
import { verifySection } from './render/page/verify-section.ts';
import { styleOf } from '../web/styles.ts';
import type { ReportData } from './report-data.ts';
import { judgeReport } from './verdict.ts';

const pageCss = styleOf('report/render/page/sections.css', 'report/render/page/page.css');
const pageScript = readFileSync(assetFile('report/render/page/page.js'), 'utf8');

/**
 * Renders the report as one HTML file: it opens offline, requests nothing, and runs nothing but the script that sorts
 * its tables. Escaping alone keeps text of the export from becoming markup; the content security policy is a second
 * barrier.
 */
export function renderHtml(data: ReportData): string {
  const sections = sectionsOf(data);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${judgeReport(data).sentence} – Chatferry</title>
${styleElement(pageCss)}
</head>
<body class="report">
<a class="skip" href="#main">Skip to the report</a>
${header(data)}${contents(sections)}
<main id="main">
${sections.map(renderSection)}</main>
<footer><p>Generated from the checkpoint store <bdi>${data.store}</bdi>; report.json next to this file has the same data${describeLists(data)}.</p></footer>
${patterns}
${scriptElement(pageScript)}
</body>
</html>
`;
  return page.toString();
}

const sectionsOf = (data: ReportData): readonly Section[] => makeSections.flatMap((make) => make(data) ?? []);

/** The report without the page around it. */
export const reportBody = (data: ReportData): SafeHtml => html`${header(data)}${sectionsOf(data).map(renderSection)}`;

function describeLists({ media, anonymous }: ReportData): string {
  if (anonymous) return '';
  return `, ${media ? 'conversations.csv, problems.csv and files.csv' : 'conversations.csv and problems.csv'} the complete lists`;
}

/** In the order of a reader's questions: is it all there, what must I do, what do I lose, how long does it take, what is it, how do you know. */
const makeSections: readonly ((data: ReportData) => Section | undefined)[] = [
  totalsSection,
  attentionSection,
  decisionsSection,
  lossesSection,
  filesSection,
  driftSection,
  arrivalsSection,
  sendingSection,
  actionsSection,
  contentSection,
  readRowsSection,
  conversationsSection,
  verifySection,
  skippedSection,
  provenanceSection,
];

const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${cspHash(pageCss)}; script-src ${cspHash(pageScript)}; base-uri 'none'; form-action 'none'`;

function contents(sections: readonly Section[]): SafeHtml {
  const items = sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>
`,
  );
  return html`<nav aria-label="Contents"><ul>${items}</ul></nav>
`;
}
