import { html, type SafeHtml } from '../lib/text/html.ts';
import { arrivalsSection } from './render/page/arrivals-section.ts';
import { contentSection } from './render/page/content-section.ts';
import { conversationsSection } from './render/page/conversations-section.ts';
import { decisionsSection } from './render/page/decisions-section.ts';
import { type Links, patterns, renderSection, type Section } from './render/page/elements.ts';
import { lossesSection, lostRowsSection, skippedSection } from './render/page/groups-section.ts';
import { glance } from './render/page/header.ts';
import { totalsSection } from './render/page/totals-section.ts';
import type { ReportData } from './report-data.ts';

export type { Links };

const makeSections: Readonly<Record<string, (data: ReportData, links: Links) => Section | undefined>> = {
  totals: totalsSection,
  arrivals: arrivalsSection,
  losses: lossesSection,
  lost: lostRowsSection,
  decided: decisionsSection,
  content: contentSection,
  conversations: conversationsSection,
  skipped: skippedSection,
};

/**
 * Some sections of the report as HTML, for a page that shows them among other things. Everything from outside is escaped, as in the file;
 * their style is in `render/page/sections.css`, for an element with the class `report`.
 *
 * @param names `glance`, or one of those above; others are passed over.
 */
export function renderSections(data: ReportData, names: readonly string[], links: Links): string {
  const parts = names.flatMap((name): readonly SafeHtml[] => {
    if (name === 'glance') return [glance(data, false)];
    const section = Object.hasOwn(makeSections, name) ? makeSections[name]!(data, links) : undefined;
    return section === undefined ? [] : [renderSection(section)];
  });
  return parts.length === 0 ? '' : html`${patterns}${parts}`.toString();
}
