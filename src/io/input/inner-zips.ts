import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { formatLocation } from '../../lib/text/location.ts';
import { openZip } from '../zip/zip-input.ts';
import type { Caps } from './caps.ts';
import { derivedInput } from './derived-input.ts';
import { type ExportInput, ProblemList } from './export-input.ts';

/**
 * An archive that holds nothing but ZIP archives, as vendors hand out exports that they packed twice: the files of the inner ones are parts of it, as
 * `inner.zip/path`. One level deep. If anything is beside them, the inner ones may be files that people sent, and stay files.
 *
 * The inner ones are copied to private temporary files, which `close` removes. Takes over the input: closes it if this fails.
 *
 * @throws SourceError if they have more files than the caps allow.
 */
export async function withInnerZips(outer: ExportInput, caps: Caps): Promise<ExportInput> {
  const paths = await outer.paths();
  if (paths.length === 0 || !paths.every((path) => /\.zip$/i.test(path))) return outer;
  const inner = new Map<string, ExportInput>();
  const close = async () => {
    for (const input of inner.values()) await input.close();
    await outer.close();
  };
  try {
    return new Opened(outer, inner, await openInner(outer, inner, caps)).input(close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns What is wrong with them: one that cannot be opened is left out. */
async function openInner(outer: ExportInput, inner: Map<string, ExportInput>, caps: Caps): Promise<ProblemList> {
  const problems = new ProblemList();
  let count = 0;
  for (const path of await outer.paths()) {
    try {
      const input = openZip(await outer.materialise(path), caps, path);
      inner.set(path, input);
      count += (await input.paths()).length;
      for (const { code, reason, location } of input.problems) problems.add(code, reason, `${path}/${location.path}`);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.add('damaged-entry', error.message, path);
    }
    if (count > caps.entryCountMax) throw tooManyFiles(outer.label, caps);
  }
  return problems;
}

class Opened {
  readonly #outer: ExportInput;
  readonly #inner: ReadonlyMap<string, ExportInput>;
  readonly #problems: ProblemList;

  constructor(outer: ExportInput, inner: ReadonlyMap<string, ExportInput>, problems: ProblemList) {
    this.#outer = outer;
    this.#inner = inner;
    this.#problems = problems;
  }

  input(close: () => Promise<void>): ExportInput {
    return derivedInput(this.#outer, {
      problems: [...this.#outer.problems, ...this.#problems.all(this.#outer.label)],
      paths: () => this.#paths(),
      stat: (path) => this.#use(path, (input, name) => input.stat(name)),
      head: (path, byteCount) => this.#use(path, (input, name) => input.head(name, byteCount)),
      read: (path, bytesMax, into) => this.#use(path, (input, name) => input.read(name, bytesMax, into)),
      open: (path) => this.#open(path),
      materialise: (path) => this.#use(path, (input, name) => input.materialise(name)),
      close,
    });
  }

  async #paths(): Promise<readonly string[]> {
    const lists = [...this.#inner].map(async ([zip, input]) => (await input.paths()).map((path) => `${zip}/${path}`));
    return (await Promise.all(lists)).flat().sort();
  }

  async *#open(path: string): AsyncGenerator<Uint8Array> {
    const { input, name } = this.#find(path);
    try {
      yield* input.open(name);
    } catch (error) {
      throw located(error, path);
    }
  }

  async #use<T>(path: string, use: (input: ExportInput, name: string) => Promise<T>): Promise<T> {
    const { input, name } = this.#find(path);
    try {
      return await use(input, name);
    } catch (error) {
      throw located(error, path);
    }
  }

  #find(path: string): { readonly input: ExportInput; readonly name: string } {
    for (const [zip, input] of this.#inner)
      if (path.startsWith(`${zip}/`)) return { input, name: path.slice(zip.length + 1) };
    throw new SourceError(`Cannot read from "${this.#outer.label}": there is no such file`, { location: { path } });
  }
}

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

function tooManyFiles(label: string, caps: Caps): SourceError {
  return new SourceError(`Cannot read "${label}": it has more than ${formatCount(caps.entryCountMax)} files`, {
    hint: 'Unpack it and pass the archives inside it one at a time',
  });
}
