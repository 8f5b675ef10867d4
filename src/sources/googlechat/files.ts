import type { LocalFiles } from '../kit/files/local-files.ts';
import type { Attachment } from '../../model/records.ts';
import { asArray, asObject, asString } from '../kit/narrow.ts';
import type { ChatFile } from './format.ts';

/** Letters of a name that Takeout keeps of a long one. */
const keptOfLong = 47;

/**
 * The files of one group's folder, by the names that its messages have: Takeout writes `_` for what a name may not hold, cuts long names,
 * puts `(1)` behind the second of a name, and leaves out endings.
 */
export class GroupFiles {
  readonly #folder: string;
  readonly #files: LocalFiles;
  /** As the export writes them, by their names with composed letters. */
  readonly #names: ReadonlyMap<string, string>;
  /** Names by what is left of them without an ending, and by what is kept of long ones. */
  readonly #alike = new Map<string, string[]>();
  /** How often a name came of which the folder has several. */
  readonly #counts = new Map<string, number>();

  /** @param paths Of the files in the folder. */
  constructor(folder: string, paths: readonly string[], files: LocalFiles) {
    this.#folder = folder;
    this.#files = files;
    const names = paths.map((path) => path.slice(folder.length));
    this.#names = new Map(names.map((name) => [name.normalize('NFC'), name]));
    for (const name of this.#names.keys()) {
      const [base] = split(name);
      for (const key of [`base ${base}`, `start ${name.slice(0, keptOfLong)}`, `written ${written(name)}`])
        this.#alike.set(key, [...(this.#alike.get(key) ?? []), name]);
    }
  }

  async readAttachments(values: unknown): Promise<Attachment[]> {
    const attachments: Attachment[] = [];
    for (const value of asArray(values)) {
      const file = asObject<ChatFile>(value);
      const named = asString(file?.export_name) ?? asString(file?.original_name) ?? 'file';
      const name = asString(file?.original_name) ?? named;
      attachments.push(await this.#files.attachment({ path: this.#folder + (this.#find(named) ?? named), name }));
    }
    return attachments;
  }

  #find(name: string): string | undefined {
    const found = this.#findComposed(name.normalize('NFC'));
    return found === undefined ? undefined : this.#names.get(found);
  }

  #findComposed(named: string): string | undefined {
    const plain = written(named);
    const [base, ending] = split(plain);
    const exact = [this.#numbered(base, ending), named, plain].find((one) => this.#names.has(one));
    if (exact !== undefined) return exact;
    const loose = this.#alike.get(`written ${plain}`) ?? [];
    if (loose.length === 1) return loose[0];
    const isLong = base.length > keptOfLong;
    const alike = (this.#alike.get(isLong ? `start ${base.slice(0, keptOfLong)}` : `base ${base}`) ?? []).filter(
      (one) => ending === '' || (isLong && one.endsWith(ending)),
    );
    return alike.length === 1 ? alike[0] : undefined;
  }

  /** If several files have the same name, the first one has it unchanged. */
  #numbered(base: string, ending: string): string {
    if (!this.#names.has(`${base}(1)${ending}`)) return base + ending;
    const count = this.#counts.get(base + ending) ?? 0;
    this.#counts.set(base + ending, count + 1);
    return count === 0 ? base + ending : `${base}(${count})${ending}`;
  }
}

/** Takeout replaced more of these characters in some years than in others: `&` may be unchanged. */
const written = (name: string): string => name.replace(/[?=&:*"<>|/\\%]/g, '_');

function split(name: string): readonly [base: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}
