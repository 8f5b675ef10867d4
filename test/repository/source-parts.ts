import { z } from 'zod';
import { pageHeadings, pagePath } from '../../scripts/write-sources.ts';
import { kitCodes } from '../../src/sources/kit/codes.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { isTableSource } from '../../src/sources/table-source.ts';

/** The repository in which the parts of a source are searched for. */
export interface Repository {
  /** Every file, with forward slashes. */
  readonly files: readonly string[];
  read(path: string): string;
}

/** Codes that files themselves bring up, whatever is in them. */
const codesOfFiles: ReadonlySet<string> = new Set(['unreadable-file', 'unknown-file']);

/** Returns everything that a source lacks of the requirements in CONTRIBUTING.md: a sentence for each, none if nothing is missing. */
export function missingParts(adapter: SourceAdapter, repository: Repository): string[] {
  const parts = [options, codes, mapping, page, readmeLink, samples, contractTest];
  return parts.flatMap((part) => part(adapter, repository)).map((sentence) => `${adapter.name}: ${sentence}`);
}

type Part = (adapter: SourceAdapter, repository: Repository) => string[];

const options: Part = ({ options: lazy }) => {
  const schema = lazy instanceof z.ZodLazy ? lazy.unwrap() : lazy;
  if (lazy === schema || !(schema instanceof z.ZodObject)) return ['its options are no object in z.lazy()'];
  return Object.entries(schema.shape)
    .filter(([, option]) => !(option as z.ZodType).meta()?.description)
    .map(([name]) => `option "${name}" has no description: .describe() says what it does, and its default`);
};

/** Whatever its samples bring up must be explained, and whatever it explains must have all its words. */
const codes: Part = ({ name, codes: own = [], carriesOthers }, { files, read }) => {
  const explained = new Set([...kitCodes, ...own].map(({ code }) => code));
  const wordless = own
    .filter(
      (own) =>
        !own.title || !own.explanation || !(own.severity === 'decision' ? own.question && own.otherwise : own.remedy),
    )
    .map(({ code }) => `code "${code}" lacks a title, an explanation or a remedy`);
  const yielded = files
    .filter((path) => path.startsWith(`samples/${name}/`) && path.endsWith('/expected.ndjson'))
    .flatMap((path) => [...read(path).matchAll(/^\{"type":"(?:invalid|problem)","code":"([^"]+)"/gm)])
    .map(([, code]) => code!);
  const isExplained = (code: string) => carriesOthers || explained.has(code) || codesOfFiles.has(code);
  const unexplained = [...new Set(yielded)].filter((code) => !isExplained(code));
  return [
    ...wordless,
    ...unexplained.map((code) => `nothing explains code "${code}": its place is src/sources/${name}/codes.ts`),
  ];
};

/** A source without fixed fields has mappings for shapes of exports, each tried on a sample that is called after it. */
const mapping: Part = (adapter, { files }) => {
  const { name } = adapter;
  if (!isTableSource(adapter))
    return files.includes(`mappings/${name}.yaml`) ? [] : [`there is no mappings/${name}.yaml to copy`];
  const shapes = files.flatMap((path) => path.match(`^samples/${name}/mapping-([^/]+)/`)?.[1] ?? []);
  const isThere = shapes.some((shape) => files.includes(`mappings/${shape}.yaml`));
  return isThere ? [] : ['no mapping in mappings/ is for one of its samples (samples/<source>/mapping-<shape>)'];
};

const page: Part = (adapter, { files, read }) => {
  const path = pagePath(adapter);
  if (!files.includes(path)) return [`there is no page ${path}: npm run source-pages begins one`];
  const text = read(path);
  const sections = text.split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split('\n', 1)[0]!);
  if (headings.join() !== pageHeadings.join()) {
    return [`${path} has the headings "${headings.join('", "')}"; every page has "${pageHeadings.join('", "')}"`];
  }
  return sections
    .filter((section) => section.split('\n').slice(1).join('').trim() === '')
    .map((section) => `${path} says nothing under "${section.split('\n', 1)[0]}"`);
};

const readmeLink: Part = (adapter, { read }) =>
  read('README.md').includes(`](${pagePath(adapter)})`) ? [] : ['README.md does not link to its page'];

const samples: Part = ({ name }, { files }) => {
  const folders = new Set(files.flatMap((path) => path.match(`^samples/${name}/[^/]+/`)?.[0] ?? []));
  if (folders.size === 0) return [`there is no sample in samples/${name}/`];
  return [...folders].flatMap((folder) => [
    ...(files.some((path) => path.startsWith(`${folder}export`)) ? [] : [`${folder} has no export`]),
    ...(files.includes(`${folder}expected.ndjson`)
      ? []
      : [`${folder} has no expected.ndjson: UPDATE_SAMPLES=1 writes it`]),
    ...(files.includes(`${folder}facts.json`)
      ? []
      : [`${folder} has no facts.json: count by hand what its export holds`]),
  ]);
};

const contractTest: Part = ({ name }, { files, read }) => {
  const path = `test/sources/${name}/contract.test.ts`;
  return files.includes(path) && read(path).includes('describeSource(') ? [] : [`${path} does not run the contract`];
};
