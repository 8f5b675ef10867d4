import type { ReadEnd } from '../../model/entry.ts';
import type { GoOnRequest } from '../source.ts';
import { Described, type DescribedState, type Directory, type FileLines, type LinesState } from './file-lines.ts';
import { headOf } from './head.ts';
import { headBytes, isNamedAsOurs } from './layout.ts';

/** What has to be known of a file for going on behind an earlier end. */
interface FileState {
  readonly lines: LinesState;
  /** Of the files that are always read, this one the last of them; null for a file of messages. */
  readonly directory: { readonly people: DescribedState; readonly conversations: DescribedState } | null;
}

export const fileStateOf = (end: ReadEnd | undefined): FileState | undefined => end?.state as FileState | undefined;

export const stateOf = (lines: FileLines, directory: Directory | undefined): FileState => ({
  lines: lines.state(),
  directory: directory ? { people: directory.people.state(), conversations: directory.conversations.state() } : null,
});

/**
 * Who is described in files that are always read: by lines that are not read again, to begin with.
 *
 * @param ends Of those files, in order; undefined for one that is read from its start.
 */
export function directoryOf(ends: readonly (ReadEnd | undefined)[]): Directory {
  const states = ends.map((end) => fileStateOf(end)?.directory);
  const merged = (kind: 'people' | 'conversations'): DescribedState => {
    const described = new Set(states.flatMap((state) => state?.[kind].described ?? []));
    const named = states.flatMap((state) => state?.[kind].named ?? []);
    return { described: [...described], named: [...new Set(named)].filter((id) => !described.has(id)) };
  };
  return { people: new Described(merged('people')), conversations: new Described(merged('conversations')) };
}

/** As long as its beginning still says that it holds what it held: messages alone, or people and conversations too. */
export async function canGoOn({ input, path, end }: GoOnRequest<unknown>): Promise<boolean> {
  const head = await headOf(input, path, headBytes);
  const isShared = head.describes !== 'nothing';
  const isOurs = head.match !== 'no' || isNamedAsOurs(path) || (await input.paths()).length === 1;
  return isOurs && isShared === (fileStateOf(end)?.directory !== null);
}
