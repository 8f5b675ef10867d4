import { explainMessage, type MessageStory } from '../checkpoint/reports/explain-message.ts';
import { readMeta } from '../checkpoint/base/meta.ts';
import { openStoreToRead } from '../checkpoint/base/store.ts';
import { openExport } from '../io/input/open-export.ts';
import { ChatferryError } from '../lib/errors.ts';
import { formatLocation } from '../lib/location.ts';
import { muidOf } from '../mapping/muid.ts';
import type { MessageRecord } from '../model/records.ts';
import { sources } from '../sources/registry.ts';

/** A message's story, and its record as the model sees it where the export is still there to be read. */
export interface ExplainedMessage extends MessageStory {
  readonly record: MessageRecord | null;
}

/** How the files of the store were read. */
interface Reading {
  readonly source: string;
  readonly options: unknown;
  readonly workspace: string;
}

/** Everything that is known of a message, by muid or by its id at the source. Empty if the store has none. */
export async function explainId(storePath: string, id: string, signal: AbortSignal): Promise<ExplainedMessage[]> {
  const store = openStoreToRead(storePath);
  try {
    const reading = {
      source: readMeta(store.db, 'source') ?? '',
      options: JSON.parse(readMeta(store.db, 'sourceOptions') ?? '{}') as unknown,
      workspace: readMeta(store.db, 'workspace') ?? '',
    };
    const explained = [];
    for (const story of explainMessage(store.db, id)) {
      explained.push({ ...story, record: await readRecord(story, reading, signal) });
    }
    return explained;
  } finally {
    store.close();
  }
}

/** Reads the one file again. An export that was moved or cannot be read any more explains nothing; the books still do. */
async function readRecord(
  story: MessageStory,
  { source, options, workspace }: Reading,
  signal: AbortSignal,
): Promise<MessageRecord | null> {
  const name = story.inputSource ?? source;
  const adapter = sources.find((candidate) => candidate.name === name);
  if (!adapter || story.muid === null || story.follows !== null) return null;
  const context = { signal, workspace, wants: (path: string) => path === story.path };
  try {
    const inputs = await openExport([story.input]);
    try {
      for (const input of inputs) {
        for await (const entries of adapter.read(input, story.inputSource === null ? options : {}, context)) {
          for (const entry of entries) {
            if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
            // Of several versions in a file, the one that the books speak of.
            if (muidOf(entry.record.origin) === story.muid && formatLocation(entry.location) === story.location)
              return entry.record;
          }
        }
      }
    } finally {
      for (const input of inputs) await input.close();
    }
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
  }
  return null;
}
