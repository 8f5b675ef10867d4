import type { ExportInput } from '../../../io/input/export-input.ts';
import { distinctNames } from '../../../io/input/open-export.ts';

/** One file among those of all inputs that are read together. */
export interface FileTogether {
  readonly input: ExportInput;
  readonly path: string;
}

const surveys = new WeakMap<readonly ExportInput[], Map<string, Promise<unknown>>>();

/**
 * A survey of several inputs, made when the first of them is read and kept as long as their list. Its result must depend on nothing but the
 * inputs and `key`.
 *
 * @param key Names the survey and its options.
 */
export function surveyOnce<T>(inputs: readonly ExportInput[], key: string, survey: () => Promise<T>): Promise<T> {
  const known = surveys.get(inputs) ?? new Map<string, Promise<unknown>>();
  surveys.set(inputs, known);
  if (!known.has(key)) known.set(key, survey());
  return known.get(key) as Promise<T>;
}

/**
 * A name for each file that no other one has: its path, or if the files are of several inputs and their paths are not all different, that
 * behind the name of its input (`2023/chats.zip/_chat.txt`).
 *
 * @param inputs All that are read together.
 * @returns In the order of the files.
 */
export function distinctPaths(inputs: readonly ExportInput[], files: readonly FileTogether[]): readonly string[] {
  if (new Set(files.map(({ path }) => path)).size === files.length) return files.map(({ path }) => path);
  const names = new Map(distinctNames(inputs.map(({ key }) => key)).map((name, index) => [inputs[index]!.key, name]));
  return files.map(({ input, path }) =>
    input.label === path ? names.get(input.key)! : `${names.get(input.key)}/${path}`,
  );
}
