import type { ReadFile } from '../../store/totals.ts';
import type { Store } from '../../store/open.ts';
import { excerptRow } from '../../rows/excerpt-text.ts';
import { hiddenCodes, parsePlaces, readRowTexts } from '../../rows/row-text.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';

/** Rows that a report shows. */
const rowsMax = 60;
const filesMax = 20;
/** Bytes of each file that are searched. */
const bytesMax = 8 * 1024 * 1024;
/** UTF-16 units of a row that are looked at; fewer are shown. */
const readMax = 20_000;

/**
 * The report with an excerpt of the row of each invalid, failed or undecided one that it names: read from the
 * export, if that is still there and did not change since. The store keeps no rows.
 */
export async function withExcerpts(report: ReportData, store: Store): Promise<ReportData> {
  const { failed, invalid, problems } = report;
  const places = [...listPlaces([...failed, ...invalid], true), ...listPlaces(problems, false)].slice(0, rowsMax);
  if (places.length === 0) return report;
  const hidden = new Set(
    store.totals.findings.placesWith(
      hiddenCodes,
      places.map(({ location }) => location),
    ),
  );
  const wanted = Map.groupBy(
    places.filter(({ location }) => !hidden.has(location)),
    ({ path }) => path,
  );
  const files = store.totals.readFiles([...wanted.keys()]).slice(0, filesMax);
  // If two files have the same path, it is unknown which one is meant.
  const single = files.filter(({ path }) => files.filter((other) => other.path === path).length === 1);
  // Rows of lists that describe people or conversations are not shown.
  const wantedIn = ({ path, role }: ReadFile) =>
    wanted.get(path)!.filter(({ isMessage }) => isMessage || role === 'rows');
  const found = new Map<string, string>();
  for (const [location, row] of await readRowTexts(single, wantedIn, { shownMax: readMax, bytesMax })) {
    const text = excerptRow(row);
    if (text !== '') found.set(location, text);
  }
  const shown = (list: readonly ReportGroup[]) =>
    list.map((group) => (isShown(group) ? withTexts(group, found) : group));
  return { ...report, failed: shown(failed), invalid: shown(invalid), problems: shown(problems) };
}

const listPlaces = (groups: readonly ReportGroup[], isMessage: boolean) =>
  groups
    .filter(isShown)
    .flatMap(({ examples }) => examples.flatMap(({ location }) => parsePlaces(location)))
    .map((place) => ({ ...place, isMessage }));

const isShown = ({ code, severity }: ReportGroup): boolean => severity !== 'information' && !hiddenCodes.has(code);

const withTexts = (group: ReportGroup, found: ReadonlyMap<string, string>): ReportGroup => ({
  ...group,
  examples: group.examples.map((example) => {
    const excerpt = found.get(example.location);
    return excerpt === undefined ? example : { ...example, excerpt };
  }),
});
