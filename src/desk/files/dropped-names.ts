/** Length of each part of a name, in bytes of UTF-8: every file system has room for so many. */
const partBytesMax = 200;
const depthMax = 20;

/** Names that open a device on Windows, whatever comes after a dot. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:[.:].*)?$/i;

/** Characters that no name on Windows has. A colon would write into a hidden part of another file. */
const notOnWindows = /[<>:"|?*]|[. ]$/;

/**
 * Returns why a dropped file cannot be copied under its name; undefined if it can. The name decides where this program
 * writes, and whoever made the export chose it: it has to stay inside the folder of copies, on every system.
 *
 * @param name Path from what was dropped, with forward slashes: `export/general/2024-03-01.json`.
 */
export function refuseName(name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (!name.isWellFormed()) return 'is not valid Unicode';
  const parts = name.split('/');
  if (parts.length > depthMax) return `is more than ${depthMax} folders deep`;
  if (/^[a-z]:/i.test(name)) return 'begins with a drive';
  for (const part of parts) {
    const refused = refusePart(part, platform);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function refusePart(part: string, platform: NodeJS.Platform): string | undefined {
  if (part === '') return 'has an empty part, or does not begin with a name';
  if (part === '.' || part === '..') return 'leads to another folder';
  if (/[\p{Cc}\u2028\u2029]/u.test(part)) return 'has a control character';
  if (part.includes('\\')) return 'has a backslash';
  if (Buffer.byteLength(part) > partBytesMax) return `has a part of more than ${partBytesMax} bytes`;
  if (device.test(part)) return 'is the name of a device on Windows';
  if (platform === 'win32' && notOnWindows.test(part)) return 'has a character that no name on Windows has';
  return undefined;
}

/** Equal for names that are one and the same file on some system: in upper or lower case, composed or decomposed. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/** Names of the files in a folder, and of the folders that they are in. Memory: some 200 bytes a file. */
export class DroppedNames {
  readonly #known = new Map<string, string>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  get files(): number {
    return this.#sizes.size;
  }

  /** Of all files, in the order in which they were added. */
  get paths(): readonly string[] {
    return [...this.#sizes.keys()];
  }

  /** Of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  add(path: string, sizeBytes: number): void {
    for (const prefix of prefixesOf(path)) this.#known.set(folded(prefix), prefix);
    this.#bytes += sizeBytes - (this.#sizes.get(path) ?? 0);
    this.#sizes.set(path, sizeBytes);
  }

  sizeOf(path: string): number | undefined {
    return this.#sizes.get(path);
  }

  /** The file or folder that is there and would be the same as this one, or as a folder of it, on some systems. */
  conflict(path: string): string | undefined {
    for (const prefix of prefixesOf(path)) {
      const known = this.#known.get(folded(prefix));
      if (known !== undefined && known !== prefix) return known;
      if (prefix !== path && this.#sizes.has(prefix)) return prefix;
    }
    return this.#known.has(folded(path)) && !this.#sizes.has(path) ? path : undefined;
  }
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
export function prefixesOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
