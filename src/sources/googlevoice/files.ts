import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import type { Attachment } from '../../model/records.ts';
import { localFiles } from '../kit/files/local-files.ts';
import type { HtmlElement } from '../kit/text/html-elements.ts';

/** Files next to pages, which pages name without their endings. */
export const isMedia = (path: string): boolean =>
  /\.(?:jpe?g|png|gif|webp|heic|bmp|mp4|3gpp?|mov|mp3|amr|ogg|wav|vcf|pdf)$/i.test(path);

/** Elements that name a file, and the attribute that does. */
const naming: Readonly<Record<string, string>> = { img: 'src', audio: 'src', video: 'src', source: 'src', a: 'href' };

export const fileNamed = ({ name, attributes }: HtmlElement): string | undefined => {
  const path = attributes[naming[name] ?? '']?.trim();
  return path === undefined || path === '' || /^(?:tel|mailto|https?):/i.test(path) ? undefined : path;
};

const stems = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** Paths by what is before their ending. */
function groupByStem(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = stems.get(paths);
  if (known) return known;
  const found = Map.groupBy(paths.filter(isMedia), (path) => path.replace(/\.[^./]+$/, ''));
  stems.set(paths, found);
  return found;
}

/** @param folder Of the page, with its slash. */
export async function attachmentFinder(
  input: ExportInput,
  folder: string,
): Promise<(names: readonly string[]) => Promise<Attachment[]>> {
  const files = await localFiles(input, folder);
  const byStem = groupByStem(await input.paths());
  return (names) =>
    Promise.all(
      names.map((name) => {
        const whole = files.has(name) ? [folder + name] : (byStem.get(folder + name) ?? []);
        const path = whole.length === 1 ? whole[0]!.slice(folder.length) : name;
        return files.attachment({ path });
      }),
    );
}

export async function hasMarks(input: ExportInput, path: string): Promise<boolean> {
  return marks.test(Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1'));
}

const headBytes = 16 * 1024;

const marks = /class="(?:hChatLog|haudio)\b/;

export const isPage = (path: string): boolean => /\.html?$/i.test(path);
