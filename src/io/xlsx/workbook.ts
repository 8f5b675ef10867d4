import { posix } from 'node:path';
import type { ExportInput } from '../input/export-input.ts';
import { NumberFormats } from './number-formats.ts';
import { SharedStrings } from './shared-strings.ts';
import { readWholeXml, WorkbookFault, type PartHandler } from './xml-reader.ts';

export interface Sheet {
  /** As people see it. */
  readonly name: string;
  /** Of the archive. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** Sheets of a workbook: those of people have some tens. */
const sheetsMax = 1024;
const relationsMax = 10_000;

/** An opened workbook: an archive of XML (ECMA-376). Close the archive, and release the strings. */
export interface Workbook {
  readonly archive: ExportInput;
  /** In the order in which people see them. */
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  readonly formats: NumberFormats;
  readonly strings: SharedStrings;
}

/**
 * Opens a workbook with its texts, but without its sheets.
 *
 * @param archive Stays open for as long as the workbook is used.
 * @throws WorkbookFault, or a SourceError of the archive.
 */
export async function openWorkbook(archive: ExportInput): Promise<Workbook> {
  const parts = new Parts(archive, await archive.paths());
  const root = await parts.readRelations('');
  const main = parts.find(root.findPart('officeDocument') ?? 'xl/workbook.xml');
  const relations = await parts.readRelations(main);
  const book = new BookHandler();
  await readWholeXml(archive.open(main), book);
  const sheets = book.sheets.flatMap(({ name, relation, isHidden }) => {
    const { type, part } = relations.byId.get(relation) ?? { type: '', part: '' };
    if (type === '') throw new WorkbookFault(`its sheet ${JSON.stringify(name)} is missing`);
    // Sheets of nothing but a chart or a dialogue have no cells.
    return type === 'worksheet' ? [{ name, part: parts.find(part), isHidden }] : [];
  });
  const formats = new NumberFormats();
  const styles = relations.findPart('styles');
  if (styles !== undefined) await readWholeXml(archive.open(parts.find(styles)), formats);
  const strings = new SharedStrings();
  try {
    const texts = relations.findPart('sharedStrings');
    if (texts !== undefined) await readWholeXml(archive.open(parts.find(texts)), strings);
    return { archive, sheets, is1904: book.is1904, formats, strings };
  } catch (error) {
    strings.release();
    throw error;
  }
}

/** Names of parts, which do not depend on case. */
class Parts {
  readonly #archive: ExportInput;
  readonly #names: ReadonlyMap<string, string>;

  constructor(archive: ExportInput, names: readonly string[]) {
    this.#archive = archive;
    this.#names = new Map(names.map((name) => [name.toLowerCase(), name]));
  }

  find(part: string): string {
    const found = this.#names.get(part.toLowerCase());
    if (found !== undefined) return found;
    const reason = this.#archive.problems.find(({ location }) => location.path === part)?.reason;
    throw new WorkbookFault(`its part "${part}" ${reason === undefined ? 'is missing' : `cannot be read: ${reason}`}`);
  }

  async readRelations(part: string): Promise<Relations> {
    const folder = posix.dirname(part);
    const relations = new Relations(folder);
    const file = this.#names.get(posix.join(folder, '_rels', `${posix.basename(part)}.rels`).toLowerCase());
    if (file !== undefined) await readWholeXml(this.#archive.open(file), relations);
    return relations;
  }
}

/** What a part refers to: `<Relationship Id="rId1" Type="…/worksheet" Target="worksheets/sheet1.xml"/>`. */
class Relations implements PartHandler {
  readonly byId = new Map<string, { readonly type: string; readonly part: string }>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  findPart(type: string): string | undefined {
    return [...this.byId.values()].find((relation) => relation.type === type)?.part;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return;
    if (this.byId.size >= relationsMax) throw new WorkbookFault(`it has more than ${relationsMax} parts`);
    const target = (attributes.get('Target') ?? '').replaceAll('\\', '/');
    const part = target.startsWith('/') ? target.slice(1) : posix.join(this.#folder, target);
    const type = (attributes.get('Type') ?? '').replace(/^.*\//, '');
    this.byId.set(attributes.get('Id') ?? '', { type, part });
  }

  text(): void {}
  close(): void {}
}

class BookHandler implements PartHandler {
  readonly sheets: { readonly name: string; readonly relation: string; readonly isHidden: boolean }[] = [];
  is1904 = false;

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'workbookPr') this.is1904 = isTrue(attributes.get('date1904'));
    if (name !== 'sheet') return;
    if (this.sheets.length >= sheetsMax) throw new WorkbookFault(`it has more than ${sheetsMax} sheets`);
    const relation = [...attributes].find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    this.sheets.push({
      name: attributes.get('name') ?? '',
      relation,
      isHidden: /hidden/i.test(attributes.get('state') ?? ''),
    });
  }

  text(): void {}
  close(): void {}
}

export const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';
