import type { ExportInput } from '../../io/input/export-input.ts';
import { anyPart, parsePointer } from '../../io/json/json-pointer.ts';
import { inChunks } from '../kit/files/file-bytes.ts';
import { readsAsJsonLines } from '../../io/input/lines-of-json.ts';
import type { Finding, Proposal, TableOutline } from '../table-source.ts';
import { aliases, columnsNamed } from '../tables/propose/aliases.ts';
import { truncate } from '../../lib/text/plain-text.ts';
import { proposeTables } from '../tables/known-layouts.ts';
import { makeOutline, type TableSample } from '../tables/row.ts';
import { isDynamoLine } from './dynamodb.ts';
import { findLists, withoutSingle } from './find-lists.ts';
import { JsonRow } from './json-row.ts';
import { type Recognised, recogniseLayout, rowFilesIn } from './layout.ts';
import { documentLimit, documentsAt, jsonRowReader, readRows, type RowsPlace } from './rows.ts';
import { withReferences } from './references.ts';
import { isObject } from './unwrap.ts';

/** Bytes read in total, and of one file at least: enough for 50 files, or for one with rows of a megabyte. */
const bytesMax = 4 * 1024 * 1024;
const filesMax = 50;
const rowsMax = 1000;

/** Rows from the beginning of each file, and from each list in it, are what the proposal is made of. */
export async function propose(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal> {
  const taken: JsonSample[] = [];
  for (const { path, recognised } of await fileHeads(input))
    taken.push(...(await takeSamples(path, recognised, options)));
  const samples = withReferences(taken);
  const bindings = await proposeTables(samples, options, { reader: jsonRowReader(input), of: input });
  return withUnclearKey(withOuterConversation(bindings, samples), samples);
}

/** The files and the lists in them, with the paths of the values of their first rows. */
export async function outline(
  input: ExportInput,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly TableOutline[]> {
  const tables: TableOutline[] = [];
  for (const { path, recognised, isWhole } of await fileHeads(input)) {
    for (const { table, rows } of await takeSamples(path, recognised, options)) {
      const names = new Set(rows.flatMap((row) => row.names()));
      const { list } = table as { readonly list?: string };
      tables.push({
        ...makeOutline(list === undefined ? path : `${path}#${list}`, [...names]),
        ...(isWhole && rows.length < rowsMax && { rows: rows.length, isExact: true }),
      });
    }
  }
  return tables;
}

/** The beginning of a file with rows. */
export interface FileHead {
  readonly path: string;
  readonly recognised: Recognised;
  /** Whether it is all of the file. */
  readonly isWhole: boolean;
}

export async function fileHeads(input: ExportInput): Promise<readonly FileHead[]> {
  const all = await input.paths();
  const paths = all.filter(rowFilesIn(all)).slice(0, filesMax);
  const heads: FileHead[] = [];
  for (const path of paths) {
    const bytes = Math.floor(bytesMax / paths.length);
    const head = await input.head(path, bytes);
    const recognised = recogniseLayout(path, await withFirstDocument(input, path, head));
    if (recognised !== undefined) heads.push({ path, recognised, isWhole: head.length < bytes });
  }
  return heads;
}

/** The beginning of a file, up to the end of its first document if that is larger. */
async function withFirstDocument(input: ExportInput, path: string, head: Uint8Array): Promise<Uint8Array> {
  const { elementBytesMax } = documentLimit(path);
  if (elementBytesMax === undefined || head.includes(lineFeed)) return head;
  const more = await input.head(path, elementBytesMax);
  return more.subarray(0, more.indexOf(lineFeed) + 1);
}

const lineFeed = 0x0a;

/** A sample from a list whose place can be read in two ways. */
interface JsonSample extends TableSample {
  readonly named?: string | undefined;
}

export async function takeSamples(
  path: string,
  recognised: Recognised,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly JsonSample[]> {
  if (recognised.layout !== 'list') return documentSamples(path, recognised, recognised.layout);
  const decided = [...new Set(decidedLists(options))].map((list) => ({ list, named: undefined }));
  const found = findLists(recognised.value).filter(({ list }) => !decided.some((one) => isSamePlace(one.list, list)));
  const samples: JsonSample[] = [];
  for (const { list, named } of [...decided, ...found]) {
    const rows = await firstRows(path, recognised, { layout: 'list', pattern: parsePointer(list) ?? [] });
    if (rows.length === 0) continue;
    samples.push({ path, table: list === '' ? {} : { list }, rows, named, mayHaveMore: mayHaveMore(rows, recognised) });
  }
  if (samples.length > 0 || !recognised.isComplete) return samples;
  return [{ path, table: {}, rows: await firstRows(path, recognised, { layout: 'values' }) }];
}

/** Documents whose lists are compared at a time: as many as are looked at in an array. */
const comparedDocuments = 20;

/** The documents of a file, and the lists inside them. */
async function documentSamples(
  path: string,
  recognised: Recognised,
  layout: 'lines' | 'values',
): Promise<readonly JsonSample[]> {
  const documents = await firstRows(path, recognised, { layout });
  const isMore = mayHaveMore(documents, recognised);
  const isDynamo = isDynamoLine(recognised.value);
  // Files of one export are parts of one table, and an item has any fields.
  const partOf = isDynamo ? { partOf: path.slice(0, path.lastIndexOf('/') + 1) } : {};
  const samples: JsonSample[] = [{ path, table: {}, rows: documents, mayHaveMore: isMore, ...partOf }];
  const lists = new Set<string>();
  for (let at = 0; at < documents.length; at += comparedDocuments)
    for (const { list } of findLists(documents.slice(at, at + comparedDocuments).map(({ value }) => value)))
      lists.add(list);
  lists.delete('');
  for (const list of withoutSingle([...lists]).slice(0, listsInsideMax)) {
    const rows = await firstRows(path, recognised, documentsAt(layout, parsePointer(list)!));
    // A file that begins with a very large document does not look like lines.
    const table = readsAsJsonLines(path) ? { list } : { list, layout };
    if (rows.length > 0) samples.push({ path, table, rows, mayHaveMore: isMore || rows.length === rowsMax });
  }
  return samples;
}

const listsInsideMax = 20;

/** Bytes that are looked at of each file, if it has as many. */
const lookedAtMin = Math.floor(bytesMax / filesMax);

/** Whether the file may have more rows than those of its look. */
const mayHaveMore = (rows: readonly JsonRow[], { layout, isComplete, bytes }: Recognised): boolean =>
  rows.length === rowsMax || (layout === 'list' ? !isComplete : bytes.length >= lookedAtMin);

/** Read as the whole file would be, so that they are the same rows. */
export async function firstRows(path: string, { bytes }: Recognised, at: RowsPlace): Promise<readonly JsonRow[]> {
  const rows: JsonRow[] = [];
  for await (const steps of readRows(inChunks(bytes), path, at, documentLimit(path))) {
    rows.push(...steps.filter((step) => step instanceof JsonRow));
    if (rows.length >= rowsMax) break;
  }
  return withoutCopies(rows.slice(0, rowsMax));
}

/** One row for each id, where all rows of an id are the same: rooms have copies of their people in them. */
function withoutCopies(rows: readonly JsonRow[]): readonly JsonRow[] {
  const [id] = columnsNamed(rows[0]?.names() ?? [], 'id uid uuid');
  if (id === undefined) return rows;
  const texts = new Map<string, string>();
  const first = rows.filter((row) => {
    const [key, text] = [JSON.stringify(row.get(id) ?? null), JSON.stringify(row.value)];
    const known = texts.get(key);
    texts.set(key, known === undefined || known === text ? text : '');
    return known === undefined;
  });
  return [...texts.values()].includes('') ? rows : first;
}

/** The lists that the user has named already. */
function decidedLists({ tables }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!isObject(tables)) return [];
  const lists = Object.values(tables).map((table) => (isObject(table) ? table.list : undefined));
  return lists.filter((list) => typeof list === 'string' && parsePointer(list) !== undefined) as string[];
}

/** Whether two patterns name the same lists: `/messages/*` and `/messages/lobby`. */
function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')];
  return a.length === b.length && a.every((part, at) => part === b[at] || part === anyPart || b[at] === anyPart);
}

/** Asks what a single key is: it may be a name of the format, or the name of a room that will have others next to it. */
function withUnclearKey(proposal: Proposal, samples: readonly JsonSample[]): Proposal {
  const sample = samples.find(isMessages(proposal.options));
  const { named } = (sample ?? {}) as JsonSample;
  if (named === undefined) return proposal;
  const room = JSON.stringify(parsePointer(named)!.at(-1));
  const findings = proposal.findings.map((finding): Finding => {
    if (finding.key !== 'tables.messages' || !isObject(finding.value)) return finding;
    const because = `${room} may be a room: then other rooms will appear next to it`;
    const other = { value: { ...finding.value, list: named }, because: `${room} is a name of the format` };
    return { ...finding, because, alternatives: [other, ...finding.alternatives] };
  });
  return { ...proposal, findings };
}

const key = 'messages.conversation';

/**
 * Proposes the conversation from the objects around the list, if no field of a message names it: `$outer.id` of
 * `{"rooms": [{"id": …, "messages": […]}]}`, `$parentKey` of `{"lobby": {…}, "quay": {…}}`.
 */
function withOuterConversation(proposal: Proposal, samples: readonly TableSample[]): Proposal {
  const { options, findings } = proposal;
  const isOpen = findings.some((finding) => finding.key === key && finding.value === undefined);
  const value = isOpen ? outerName(samples.find(isMessages(options))) : undefined;
  if (value === undefined) return proposal;
  const because = `no field of a message names it; "${value}" encloses the list${showExample(value, samples.find(isMessages(options)))}`;
  const found: Finding = { key, value, because, alternatives: [], isRequired: true };
  const messages = isObject(options.messages) ? options.messages : {};
  return {
    ...proposal,
    options: { ...options, messages: { ...messages, conversation: value } },
    findings: findings.map((finding) => (finding.key === key ? found : finding)),
  };
}

/** Returns an example value from the first message. */
function showExample(name: string, sample: TableSample | undefined): string {
  const value = sample?.rows[0]?.get(name);
  return value === undefined ? '' : `: ${truncate(JSON.stringify(value), 40)}`;
}

const isMessages =
  ({ tables }: Proposal['options']) =>
  ({ table }: TableSample) =>
    isObject(tables) && isObject(tables.messages) && table.list === tables.messages.list;

function outerName(sample: TableSample | undefined): string | undefined {
  const row = sample?.rows[0];
  const names = row?.names() ?? [];
  const outer = names.filter((name) => name.startsWith('$outer.')).map((name) => name.slice('$outer.'.length));
  const [id] = columnsNamed(outer, aliases.conversation.id);
  if (id !== undefined) return `$outer.${id}`;
  // An index gives the position of a list, not its conversation.
  const isKey = names.includes('$parentKey') && !/^\d{1,6}$/.test(String(row?.get('$parentKey')));
  return isKey ? '$parentKey' : undefined;
}
