import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { asCount, asObject } from '../kit/narrow.ts';

/** Content of `manifest-files.json`, a line for each file of an export to S3: `{"itemCount":8,"dataFileS3Key":"…/data/x.json.gz"}`. */
interface Manifest {
  /** Number of items by path in this export; by S3 key for files that are not in it. */
  readonly present: ReadonlyMap<string, number>;
  readonly missing: ReadonlyMap<string, number>;
  /** The number that `manifest-summary.json` names for the whole export. */
  readonly total: number | undefined;
}

/** Counts of items that exports of DynamoDB give for their files. Memory: 200 bytes for each file. */
export class DynamoManifests {
  readonly #input: ExportInput;
  #manifests: Promise<readonly Manifest[]> | undefined;

  constructor(input: ExportInput) {
    this.#input = input;
  }

  /** Whether the manifest says that a file has no items. */
  async isEmpty(path: string): Promise<boolean> {
    return (await this.#all()).some(({ present }) => present.get(path) === 0);
  }

  #all(): Promise<readonly Manifest[]> {
    this.#manifests ??= manifestsIn(this.#input);
    return this.#manifests;
  }

  /**
   * Reports items that are missing from a file, and, with the first file of an export, files that are missing.
   *
   * @param rows Number of rows that the file has, broken ones too.
   */
  async missingFrom(path: string, rows: number): Promise<readonly Entry[]> {
    const manifest = (await this.#all()).find(({ present }) => present.has(path));
    if (!manifest) return [];
    const { present, missing, total } = manifest;
    const said = present.get(path)!;
    const found: Entry[] = [];
    if (rows < said) {
      const reason = `The manifest counts ${formatCount(said)} items in this file, and it has ${formatCount(rows)}`;
      found.push(partialEntry(reason, { path }, said - rows));
    }
    const withRows = [...present].find(([, count]) => count > 0)?.[0];
    if (path !== withRows) return found;
    for (const [key, count] of missing) {
      if (count === 0) continue;
      const reason = `The manifest of the export names "${key}" with ${formatCount(count)} items, and that file is not there`;
      found.push(partialEntry(reason, { path }, count));
    }
    const listed = [...present.values(), ...missing.values()].reduce((sum, count) => sum + count, 0);
    if (total !== undefined && listed < total) {
      const reason = `The summary of the export counts ${formatCount(total)} items, and the list of files ${formatCount(listed)}`;
      found.push(partialEntry(reason, { path }, total - listed));
    }
    return found;
  }
}

export const manifestName = /(?:^|\/)manifest-(?:files|summary)\.(?:json|checksum|md5)$/;
const filesName = /(?:^|\/)manifest-files\.json$/;

async function manifestsIn(input: ExportInput): Promise<readonly Manifest[]> {
  const paths = await input.paths();
  const byName = new Map(paths.filter((path) => /\.json(?:\.gz)?$/i.test(path)).map((path) => [nameOf(path), path]));
  const manifests: Manifest[] = [];
  for (const path of paths.filter((one) => filesName.test(one))) {
    const present = new Map<string, number>();
    const missing = new Map<string, number>();
    for await (const { dataFileS3Key: key, itemCount } of objectsIn(input, path)) {
      const count = asCount(itemCount);
      if (typeof key !== 'string' || count === undefined) continue;
      const file = byName.get(nameOf(key));
      if (file === undefined) missing.set(key, count);
      else present.set(file, count);
    }
    manifests.push({ present, missing, total: await readTotal(input, path) });
  }
  return manifests;
}

/** The name of a file, which no other of the same table has. Files unpacked by hand have lost their ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.gz$/i, '');

async function readTotal(input: ExportInput, path: string): Promise<number | undefined> {
  const summary = path.replace('manifest-files.json', 'manifest-summary.json');
  if (!(await input.paths()).includes(summary)) return undefined;
  for await (const { itemCount } of objectsIn(input, summary)) return asCount(itemCount);
  return undefined;
}

async function* objectsIn(input: ExportInput, path: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const values of readJsonLines(input.open(path))) {
    for (const { value } of values) {
      const object = asObject<Record<string, unknown>>(value);
      if (object) yield object;
    }
  }
}
