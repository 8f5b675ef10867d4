import type { ReadFile } from '../checkpoint/totals.ts';
import type { Store } from '../checkpoint/open.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { standardInputKey } from '../io/input/standard-input.ts';
import { rawRows } from '../io/raw-rows.ts';
import { ChatferryError } from '../lib/errors.ts';
import type { ReportData, ReportGroup } from './report-data.ts';
import { excerptOf } from './collect/excerpt-text.ts';

export { excerptOfValue } from './collect/excerpt-text.ts';

/** Rows that a report shows. */
const rowsMax = 60;
const filesMax = 20;
/** Bytes of each file that are searched. */
const bytesMax = 8 * 1024 * 1024;
/** UTF-16 units of a row that are looked at; fewer are shown. */
const readMax = 20_000;

/** Findings in rows that only few people may read, or no one any more: their rows are not shown. */
export const hiddenCodes: ReadonlySet<string> = new Set([
  'attachment-token',
  'private-note',
  'deleted-with-text',
  'ekm-access-denied',
]);

/**
 * The report with an excerpt of the row of each invalid, failed or undecided one that it names: read from the
 * export, if that is still there and did not change since. The store keeps no rows.
 */
export async function withExcerpts(report: ReportData, store: Store): Promise<ReportData> {
  const { failed, invalid, problems } = report;
  const places = [...placesOf([...failed, ...invalid], true), ...placesOf(problems, false)].slice(0, rowsMax);
  if (places.length === 0) return report;
  const hidden = new Set(
    store.totals.placesWith(
      hiddenCodes,
      places.map(({ location }) => location),
    ),
  );
  const wanted = Map.groupBy(
    places.filter(({ location }) => !hidden.has(location)),
    ({ path }) => path,
  );
  const files = store.totals.filesOfPaths([...wanted.keys()]).slice(0, filesMax);
  // If two files have the same path, it is unknown which one is meant.
  const single = files.filter(({ path }) => files.filter((other) => other.path === path).length === 1);
  const found = new Map<string, string>();
  for (const [input, ofInput] of Map.groupBy(single, (file) => file.input)) {
    await readInput(input, ofInput, async (opened, { path, role }) => {
      // Rows of lists that describe people or conversations are not shown.
      const ofFile = wanted.get(path)!.filter(({ isMessage }) => isMessage || role === 'rows');
      const texts = await rawRows(opened, path, {
        places: ofFile.map(({ place }) => place),
        shownMax: readMax,
        bytesMax,
      });
      for (const { place, location } of ofFile) {
        const text = excerptOf(texts.get(place) ?? '');
        if (text !== '') found.set(location, text);
      }
    });
  }
  const shown = (list: readonly ReportGroup[]) =>
    list.map((group) => (isShown(group) ? withTexts(group, found) : group));
  return { ...report, failed: shown(failed), invalid: shown(invalid), problems: shown(problems) };
}

const placesOf = (groups: readonly ReportGroup[], isMessage: boolean) =>
  groups
    .filter(isShown)
    .flatMap(({ examples }) => examples.flatMap(({ location }) => placeOf(location)))
    .map((place) => ({ ...place, isMessage }));

const isShown = ({ code, severity }: ReportGroup): boolean => severity !== 'information' && !hiddenCodes.has(code);

const withTexts = (group: ReportGroup, found: ReadonlyMap<string, string>): ReportGroup => ({
  ...group,
  examples: group.examples.map((example) => {
    const excerpt = found.get(example.location);
    return excerpt === undefined ? example : { ...example, excerpt };
  }),
});

/** The parts of `path:line`, `path#/pointer` and `path:line#/pointer`; nothing of a path alone. */
export function placeOf(location: string) {
  const [, path, line, pointer] = /^(.+?)(?::(\d+))?(?:#(\/.*))?$/s.exec(location) ?? [];
  if (path === undefined || (line === undefined && pointer === undefined)) return [];
  const place = line !== undefined && pointer !== undefined ? `${line}#${pointer}` : (pointer ?? line!);
  return [{ path, place, location }];
}

/** An export that was moved, or a file that changed, has no excerpts. */
export async function readInput(
  path: string,
  files: readonly ReadFile[],
  read: (input: ExportInput, file: ReadFile) => Promise<void>,
): Promise<void> {
  // Input from a pipe is gone.
  if (files.length === 0 || path === standardInputKey) return;
  const only = files.map((file) => file.path);
  for (const input of (await orNothing(openExport([path], {}, only))) ?? []) {
    try {
      for (const file of files) {
        const stat = await orNothing(input.stat(file.path));
        if (stat?.fingerprint === file.fingerprint) await read(input, file);
      }
    } finally {
      await input.close();
    }
  }
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return undefined;
  }
}
