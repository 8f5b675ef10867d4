import { openZip } from '../zip/zip-input.ts';
import type { Caps } from './caps.ts';
import type { ExportInput } from './export-input.ts';

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
export function firstAround(path: string, isIt: (folder: string) => boolean): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (isIt(path.slice(0, at))) return path.slice(0, at);
  return undefined;
}
