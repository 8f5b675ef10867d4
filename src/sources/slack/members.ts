import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry } from '../kit/entries.ts';
import { asObject, asString, wordFor } from '../kit/narrow.ts';
import { rowsInFile } from './file-rows.ts';
import type { SlackConversation } from './format.ts';

/**
 * Members of the conversations that the API lists: its rows have none, and `conversations.members` gives their ids, which
 * `chatferry fetch` writes on a line each. Those of one conversation at a time are in memory.
 */
export class Members {
  readonly #input: ExportInput;
  readonly #paths: ReadonlyMap<string, string>;
  readonly #read = new Set<string>();

  /** @param paths By id of the conversation. */
  constructor(input: ExportInput, paths: ReadonlyMap<string, string>) {
    this.#input = input;
    this.#paths = paths;
  }

  /** The row with its members, and what cannot be read of them. */
  async addedTo(raw: unknown): Promise<{ readonly row: unknown; readonly entries: readonly Entry[] }> {
    const listed = asObject<SlackConversation>(raw);
    const path = this.#paths.get(asString(listed?.id) ?? '');
    if (path === undefined) return { row: raw, entries: [] };
    this.#read.add(path);
    const members: string[] = [];
    const entries: Entry[] = [];
    for await (const { rows, fault } of rowsInFile(this.#input, path)) {
      for (const { value, location } of rows) {
        const id = asString(value);
        if (id !== undefined) members.push(id);
        else
          entries.push(
            problemEntry('user-without-id', `Expected the id of a member, found ${wordFor(value)}`, location),
          );
      }
      if (fault) entries.push(problemEntry(fault.code, fault.reason, fault.location));
    }
    return { row: { ...listed, members }, entries };
  }

  /** The files, once the conversations were read. */
  *files(): Generator<Entry> {
    for (const path of this.#paths.values()) {
      if (this.#read.has(path)) yield { type: 'file', path, role: 'shared' };
      else yield { type: 'file', path, role: 'skipped', reason: 'Members of a conversation that no list names' };
    }
  }
}
