import { statSync } from 'node:fs';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { formatLocation } from '../../lib/text/location.ts';
import { openZip } from '../zip/zip-input.ts';
import { type Caps, unpackedBytesAllowed } from './caps.ts';
import { type ExportInput, ProblemList } from './export-input.ts';
import { TemporaryCopies } from './temporary-copies.ts';

/** Archives around a file: vendors pack twice, and people pack that once more. */
const depthMax = 4;

/**
 * Opens an archive that holds nothing but ZIP archives, as vendors hand out exports that they packed twice. The files
 * of the inner archives become `inner.zip/path`, and so on, four levels deep. If the archive holds anything else, the
 * inner archives may be files that people sent, and stay files.
 *
 * The inner archives are copied to private temporary files, which `close` removes. Holds every path in memory, and at
 * most 32 of the archives open. Takes over the input: closes it if this fails.
 *
 * @throws SourceError if they have more files, or unpack to more, than the caps allow.
 */
export async function withInnerZips(outer: ExportInput, caps: Caps): Promise<ExportInput> {
  if (!holdsOnlyZips(await outer.paths())) return outer;
  const opened = new InnerZips(outer, caps);
  try {
    await opened.addAll(outer, '', 1);
    return opened.input();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const holdsOnlyZips = (paths: readonly string[]): boolean =>
  paths.length > 0 && paths.every((path) => /\.zip$/i.test(path));

class InnerZips {
  readonly #outer: ExportInput;
  readonly #caps: Caps;
  readonly #bytesMax: number;
  readonly #zips: OpenZips;
  readonly #problems = new ProblemList();
  readonly #copies = new TemporaryCopies();
  readonly #paths: string[] = [];
  #count = 0;
  #bytes = 0;

  constructor(outer: ExportInput, caps: Caps) {
    this.#outer = outer;
    this.#caps = caps;
    this.#bytesMax = unpackedBytesAllowed(statSync(outer.key).size, caps);
    this.#zips = new OpenZips(caps);
  }

  /** Adds the archives of an archive. @param place Of that one, with a slash behind it. @param depth Of what it holds. */
  async addAll(archive: ExportInput, place: string, depth: number): Promise<void> {
    const names = await archive.paths();
    const all = new Set(names);
    for (const name of names) {
      const zip = `${place}${name}`;
      if (depth > depthMax) this.#problems.add('unsupported-method', tooDeep, zip);
      // The paths of one could be those of the other.
      else if (firstAround(name, (folder) => all.has(folder)) !== undefined)
        this.#problems.add('duplicate-name', nameClashReason, zip);
      else await this.#add(archive, name, zip, depth);
    }
  }

  /** One that cannot be opened is left out. */
  async #add(archive: ExportInput, name: string, zip: string, depth: number): Promise<void> {
    let input: ExportInput;
    try {
      this.#bytes += (await archive.stat(name)).sizeBytes;
      if (this.#bytes > this.#bytesMax) throw tooLarge(this.#outer.label, this.#bytesMax);
      const file = await this.#copies.ensureCopy(zip, archive.open(name));
      input = openZip(file, this.#caps, zip);
      await this.#list(input, zip, depth, file);
    } catch (error) {
      if (!(error instanceof SourceError) || error instanceof InnerLimitError) throw error;
      this.#problems.add('damaged-entry', error.message, zip);
    }
  }

  async #list(input: ExportInput, zip: string, depth: number, file: string): Promise<void> {
    try {
      for (const { code, reason, location } of input.problems)
        this.#problems.add(code, reason, `${zip}/${location.path}`);
      const paths = await input.paths();
      this.#count += paths.length;
      if (this.#count > this.#caps.entryCountMax) throw tooManyFiles(this.#outer.label, this.#caps);
      if (holdsOnlyZips(paths)) return await this.addAll(input, `${zip}/`, depth + 1);
      this.#zips.add(zip, file);
      for (const path of paths) this.#paths.push(`${zip}/${path}`);
    } finally {
      await input.close();
    }
  }

  input(): ExportInput {
    this.#paths.sort();
    return {
      ...this.#outer,
      problems: [...this.#outer.problems, ...this.#problems.all(this.#outer.label)],
      paths: async () => this.#paths,
      stat: (path) => this.#use(path, (input, name) => input.stat(name)),
      head: (path, byteCount) => this.#use(path, (input, name) => input.head(name, byteCount)),
      read: (path, bytesMax, into) => this.#use(path, (input, name) => input.read(name, bytesMax, into)),
      open: (path) => this.#open(path),
      // An archive that is closed would take its copies with it.
      materialise: (path) => this.#copies.ensureCopy(path, this.#open(path)),
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    await this.#zips.close();
    await this.#copies.remove();
    await this.#outer.close();
  }

  async *#open(path: string): AsyncGenerator<Uint8Array> {
    const { zip, name } = this.#find(path);
    const input = await this.#zips.take(zip);
    try {
      yield* input.open(name);
    } catch (error) {
      throw located(error, path);
    } finally {
      this.#zips.giveBack(zip);
    }
  }

  async #use<T>(path: string, use: (input: ExportInput, name: string) => Promise<T>): Promise<T> {
    const { zip, name } = this.#find(path);
    const input = await this.#zips.take(zip);
    try {
      return await use(input, name);
    } catch (error) {
      throw located(error, path);
    } finally {
      this.#zips.giveBack(zip);
    }
  }

  #find(path: string): { readonly zip: string; readonly name: string } {
    const zip = this.#zips.around(path);
    if (zip !== undefined) return { zip, name: path.slice(zip.length + 1) };
    throw new SourceError(`Cannot read from "${this.#outer.label}": there is no such file`, { location: { path } });
  }
}

const tooDeep = `a ZIP inside ${depthMax} other archives is not opened`;
const nameClashReason = 'the archive has another ZIP with the name of a folder in which this one is; that one is read';

/** The same error, with the path in the outer archive. */
function located(error: unknown, path: string): unknown {
  if (!(error instanceof SourceError)) return error;
  const inner = error.location === undefined ? '' : ` (${formatLocation(error.location)})`;
  return new SourceError(error.message.replace(inner, ''), {
    ...(error.hint !== undefined && { hint: error.hint }),
    location: { path },
    cause: error.cause,
  });
}

/** Limit error that ends the whole export, not only one of its archives. */
class InnerLimitError extends SourceError {}

const unpack = 'Unpack it and pass the archives inside it one at a time';

const tooManyFiles = (label: string, { entryCountMax }: Caps): SourceError =>
  new InnerLimitError(`Cannot read "${label}": it has more than ${formatCount(entryCountMax)} files`, { hint: unpack });

const tooLarge = (label: string, bytesMax: number): SourceError =>
  new InnerLimitError(
    `Cannot read "${label}": the archives inside it have more than ${formatCount(bytesMax)} bytes together`,
    { hint: unpack },
  );

/** Each holds a descriptor and its directory. */
const openMax = 32;

/**
 * ZIP archives by the place that they have in another one, of which the 32 that were used last stay open; one that is in use is not closed.
 *
 *     const input = await zips.take('parts/a.zip');
 *     try { … } finally { zips.giveBack('parts/a.zip'); }
 */
export class OpenZips {
  readonly #caps: Caps;
  readonly #files = new Map<string, string>();
  /** The one that was used last is the last one. */
  readonly #open = new Map<string, { readonly input: ExportInput; uses: number }>();

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  /** @param file Where its content is. */
  add(zip: string, file: string): void {
    this.#files.set(zip, file);
  }

  /** The archive in which a path is, by its place. */
  around(path: string): string | undefined {
    return firstAround(path, (folder) => this.#files.has(folder));
  }

  /** @throws SourceError */
  async take(zip: string): Promise<ExportInput> {
    const open = this.#open.get(zip) ?? { input: openZip(this.#files.get(zip)!, this.#caps, zip), uses: 0 };
    open.uses += 1;
    this.#open.delete(zip);
    this.#open.set(zip, open);
    for (const [oldest, { input, uses }] of this.#open) {
      if (this.#open.size <= openMax) break;
      if (uses > 0) continue;
      this.#open.delete(oldest);
      await input.close();
    }
    return open.input;
  }

  giveBack(zip: string): void {
    const open = this.#open.get(zip);
    if (open !== undefined) open.uses -= 1;
  }

  async close(): Promise<void> {
    for (const { input } of this.#open.values()) await input.close();
    this.#open.clear();
    this.#files.clear();
  }
}

/** The first of the folders around a path that is one of these, from the outermost on. */
function firstAround(path: string, isIt: (folder: string) => boolean): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (isIt(path.slice(0, at))) return path.slice(0, at);
  return undefined;
}
