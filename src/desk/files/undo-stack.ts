import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { countsHere } from '../../config/config-file.ts';
import { trustFile, trustIfPossible } from '../../config/trusted-files.ts';
import { inTurn } from '../../lib/file-lock.ts';
import { replaceFileSync } from '../../lib/files/atomic-file.ts';
import { exportAround } from '../../lib/files/outside-exports.ts';
import { Changed, type Workspace } from './workspace.ts';

/** Answers that can be taken back, and bytes of a file up to which it is remembered. */
const entriesMax = 50;
const bytesMax = 1024 * 1024;

/** Texts of files by path; null for one that is not there. */
type Texts = ReadonlyMap<string, string | null>;

interface Entry {
  /** In words. */
  readonly what: string;
  readonly before: Texts;
  readonly after: Texts;
}

/** Returns the files that an answer may change; undefined if one is too large to be remembered. */
export function filesNow(workspace: Workspace): Texts | undefined {
  const { config, mapping, decisions } = workspace.paths();
  const texts = new Map<string, string | null>();
  for (const path of [config, mapping, decisions]) {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytesMax) return undefined;
    texts.set(path, existsSync(path) ? readFileSync(path, 'utf8') : null);
  }
  return texts;
}

/** The answers of this desk: the last one can be taken back unless something else has changed its files. In memory alone. */
export class UndoStack {
  readonly #entries: Entry[] = [];

  /** The last answer; null if none can be taken back. */
  last(workspace: Workspace): string | null {
    const entry = this.#entries.at(-1);
    return entry !== undefined && isNow(entry.after, filesNow(workspace)) ? entry.what : null;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length > entriesMax) this.#entries.shift();
  }

  /** Puts the bytes back that were there before the last answer. @returns Paths of files that changed. @throws Changed */
  undo(workspace: Workspace): readonly string[] {
    return inTurn(workspace.paths().decisions, () => this.#undo(workspace));
  }

  #undo(workspace: Workspace): readonly string[] {
    const entry = this.#entries.at(-1);
    if (entry === undefined || !isNow(entry.after, filesNow(workspace))) throw new Changed();
    const counted = workspace.configPath !== undefined || countsHere();
    const changed = [...entry.before].filter(([path, text]) => text !== entry.after.get(path));
    for (const [path, text] of changed) {
      if (text === null) rmSync(path);
      else {
        trustRestored(workspace, path, text, counted);
        replaceFileSync(path, text);
      }
    }
    this.#entries.pop();
    return changed.map(([path]) => path);
  }
}

const isNow = (texts: Texts, now: Texts | undefined): boolean =>
  now !== undefined && [...texts].every(([path, text]) => now.get(path) === text);

/** The files are ours again: what counted before counts still. */
function trustRestored(workspace: Workspace, path: string, text: string, counted: boolean): void {
  const { mapping, config } = workspace.paths();
  if (path === mapping && exportAround(mapping, workspace.exports()) !== undefined) trustFile(path, text);
  else if (path === mapping || (path === config && workspace.configPath === undefined && counted))
    trustIfPossible(path, text);
}
