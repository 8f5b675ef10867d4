import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, readEntry } from '../kit/entries.ts';
import { asObject, asString, wordFor } from '../kit/narrow.ts';
import type { AnswerLayout } from '../kit/rows/answer-layout.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import {
  addInvalidRow,
  addProblemRow,
  type GoodRow,
  type JsonFile,
  readJsonEntries,
} from '../kit/rows/json-entries.ts';
import type { SavedPages } from '../kit/rows/saved-pages.ts';
import type { ActionTypes } from './actions.ts';
import type { Directory } from './directory.ts';
import { channelOf, decodedName, type PubnubKind, type PubnubMessage, recognisePubnub } from './format.ts';
import { readMessage } from './message.ts';
import type { OlderMessages } from './older-messages.ts';

export type Layout = AnswerLayout<PubnubKind>;

/** State shared by all files of an export. */
export interface ExportContext {
  readonly input: ExportInput;
  readonly workspace: string;
  readonly directory: Directory;
  readonly counts: CountedProblems;
  readonly pages: SavedPages;
  readonly older: OlderMessages;
  /** Channels by the paths of files, as the user names them. */
  readonly channels: Readonly<Record<string, string>>;
  readonly text: string;
  readonly author: string | undefined;
  readonly types: ActionTypes;
}

const codes = ['profile-detail-not-migrated', 'pubnub-other-actions', 'pubnub-not-migrated'] as const;
export const newCounts = () => new CountedProblems(...codes);

/** A list of people, members or channels. */
export function readList(path: string, { at }: Layout, context: ExportContext): AsyncGenerator<readonly Entry[]> {
  const { directory, counts, channels, pages } = context;
  return pages.read(path, at, {
    add({ value, location, parentKey }, into) {
      const row = asObject<Record<string, unknown>>(value);
      const kind = row && recognisePubnub((key) => key in row);
      if (row === undefined) {
        if (parentKey === undefined || parentKey === 'data')
          into.push(problemEntry('not-an-object', `Expected a row, found ${wordFor(value)}`, location));
      } else if (kind === 'people') directory.addPerson(row, location, into);
      else if (kind === 'members') directory.addMember(row, channels[path], location, into);
      else if (kind === 'channels') directory.addChannel(row, location, into);
      return undefined;
    },
    addFault: addProblemRow,
    end: () => counts.ended(path),
  });
}

/** A file of messages, which is read for itself. */
export async function* readMessages(
  path: string,
  { at }: Layout,
  context: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const hasChannels = 'pattern' in at && at.pattern.at(-2) === 'channels';
  const file = new MessageFile(path, hasChannels, context);
  const behind = new FieldsBehind();
  yield* readJsonEntries(behind.watch(context.input), path, at, file);
  yield await context.older.missingBefore(behind.get('more'), file.channels, path);
}

class MessageFile implements JsonFile {
  readonly channels = new Set<string>();
  readonly #path: string;
  readonly #hasChannels: boolean;
  readonly #context: ExportContext;
  readonly #counts = newCounts();

  /** @param hasChannels Whether the keys of its lists are channels. */
  constructor(path: string, hasChannels: boolean, context: ExportContext) {
    this.#path = path;
    this.#hasChannels = hasChannels;
    this.#context = context;
  }

  add({ value, parentKey, location }: GoodRow, into: Entry[]): undefined {
    // A message of the older History may be any value.
    const row = asObject<PubnubMessage>(value) ?? { message: value };
    const { workspace, channels, text, author, types, directory } = this.#context;
    const listed = this.#hasChannels ? parentKey : undefined;
    const known = { workspace, text, author, types, listed };
    const read = readMessage(row, {
      ...known,
      named: channels[this.#path],
      isPinned: directory.isPinned,
      count: (code, what, by) => this.#counts.add(code, what, by),
    });
    const encoded = asString(channelOf(row)) ?? listed;
    const channel = encoded === undefined ? channels[this.#path] : decodedName(encoded);
    if (channel !== undefined) this.channels.add(channel);
    into.push(readEntry(read, location, channel));
  }

  readonly addFault = addInvalidRow;

  end(): readonly Entry[] {
    return this.#counts.ended(this.#path);
  }
}
