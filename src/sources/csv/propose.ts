import type { ExportInput } from '../../io/input/export-input.ts';
import { inChunks } from '../kit/files/file-bytes.ts';
import type { Finding, Proposal, TableOutline } from '../table-source.ts';
import { proposeTables } from '../tables/known-layouts.ts';
import { CellRow } from '../tables/cell-row.ts';
import { makeOutline, type TableSample } from '../tables/row.ts';
import { csvRowReader, readTableRows } from './rows.ts';
import { type CsvShape, findCsvShape, peekBytes, mayBeTable } from './csv-shape.ts';
import { type FileOptions, fileOptionsSchema } from './options.ts';

/** Bytes that are inspected in all. */
const bytesMax = 4 * 1024 * 1024;
const filesMax = 50;
const rowsMax = 1000;

/** How the files are written, and what their columns seem to be. */
export async function propose(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal> {
  const paths = await input.paths();
  const tables = paths.filter((path) => mayBeTable(path, paths)).slice(0, filesMax);
  const said = fileOptionsSchema.catch(fileOptionsSchema.parse({})).parse(options);
  const escapes = tables[0] === undefined ? [] : await escapeFindings(input, tables[0], said);
  const decided = Object.fromEntries(escapes.map(({ key, value }) => [key, value]));
  const fileOptions = { ...said, ...decided };
  const samples: TableSample[] = [];
  const findings: Finding[] = [];
  for (const path of tables) {
    const bytes = Math.max(peekBytes, Math.floor(bytesMax / tables.length));
    const head = await input.head(path, bytes);
    const shape = findCsvShape(head.subarray(0, peekBytes), fileOptions);
    const rows = await firstRows(path, head, shape);
    samples.push({ path, table: {}, rows, isCut: head.length >= bytes || rows.length >= rowsMax });
    if (findings.length === 0) findings.push(...fileFindings(path, shape, fileOptions));
  }
  const bindings = await proposeTables(samples, options, { reader: csvRowReader(input, fileOptions), of: input });
  return {
    ...bindings,
    options: { ...bindings.options, ...decided },
    findings: [...findings, ...escapes, ...bindings.findings],
  };
}

/** The files, with the names of their columns. */
export async function outline(
  input: ExportInput,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly TableOutline[]> {
  const paths = await input.paths();
  const said = fileOptionsSchema.catch(fileOptionsSchema.parse({})).parse(options);
  const reader = csvRowReader(input, said);
  const tables: TableOutline[] = [];
  for (const path of paths.filter((file) => mayBeTable(file, paths)).slice(0, filesMax)) {
    tables.push({ ...makeOutline(path, await reader.readColumns!(path)), ...(await rowsAbout(input, path, said)) });
  }
  return tables;
}

/** Bytes of a file in which rows are counted: those of a longer one are estimated from them. */
const countedBytes = 256 * 1024;

async function rowsAbout(
  input: ExportInput,
  path: string,
  options: FileOptions,
): Promise<Pick<TableOutline, 'rows' | 'isExact'>> {
  const head = await input.head(path, countedBytes);
  const shape = findCsvShape(head.subarray(0, peekBytes), options);
  let rows = 0;
  for await (const steps of readTableRows(inChunks(head), path, shape))
    rows += steps.filter(({ type }) => type !== 'problem').length;
  if (head.length < countedBytes) return { rows, isExact: true };
  const { sizeBytes } = await input.stat(path);
  // A large file that is packed does not say how large it is.
  if (/\.gz$/i.test(path) || rows === 0) return {};
  return { rows: Math.round((rows * sizeBytes) / head.length) };
}

async function firstRows(path: string, head: Uint8Array, shape: CsvShape): Promise<readonly CellRow[]> {
  const rows: CellRow[] = [];
  for await (const steps of readTableRows(inChunks(head), path, shape)) {
    for (const step of steps) if (step instanceof CellRow) rows.push(step);
    if (rows.length >= rowsMax) break;
  }
  return rows.slice(0, rowsMax);
}

/**
 * Returns the meaning of backslashes, if the first file shows it and the mapping does not set it. It is written down,
 * since nothing is assumed in silence.
 */
async function escapeFindings(input: ExportInput, path: string, options: FileOptions): Promise<Finding[]> {
  const { unsaidEscapes } = findCsvShape(await input.head(path, peekBytes), options);
  const { quotes, sequences } = unsaidEscapes;
  const finding = (key: string, value: string, why: string): Finding => {
    const because = `"${path}": ${why}`;
    return { key, value, because, alternatives: [], isRequired: false };
  };
  if (sequences !== undefined) return [finding('escapes', 'backslash', sequences)];
  return quotes === undefined ? [] : [finding('escape', '\\', quotes)];
}

/** Encoding, delimiter and header, of the first file. */
function fileFindings(
  path: string,
  { encoding, dialect, delimiters, header }: CsvShape,
  options: FileOptions,
): Finding[] {
  const [best, ...others] = delimiters;
  const findings: Finding[] = [];
  if (options.encoding === 'auto') {
    findings.push({
      key: 'encoding',
      value: encoding.encoding,
      because: `"${path}": ${encoding.because}`,
      alternatives: encoding.isGuess ? [{ value: 'windows-1250', because: 'the same bytes in Central Europe' }] : [],
      isRequired: false,
    });
  }
  if (options.delimiter === 'auto') {
    findings.push({
      key: 'delimiter',
      value: nameOf(dialect.delimiter),
      because: best
        ? `${best.fieldCount} fields in ${Math.round(best.consistency * 100)}% of the first ${best.rowCount} rows`
        : 'no delimiter makes a table: one column',
      alternatives: others
        .filter(({ consistency }) => best !== undefined && consistency >= best.consistency)
        .map(({ delimiter, fieldCount }) => ({
          value: nameOf(delimiter),
          because: `${fieldCount} fields in as many rows`,
        })),
      isRequired: false,
    });
  }
  if (options.header === 'auto') {
    findings.push({
      key: 'header',
      value: header.isFirstRow,
      because: header.isFirstRow
        ? `the first row is ${header.names.slice(0, 4).join(', ')} …`
        : 'the first row holds numbers or times',
      alternatives: [],
      isRequired: false,
    });
  }
  return findings;
}

const nameOf = (delimiter: string) => (delimiter === '\t' ? 'tab' : delimiter);
