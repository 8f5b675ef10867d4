import { explainMessage, type MessageStory } from '../checkpoint/explain-message.ts';
import { readMeta } from '../checkpoint/meta.ts';
import { openStoreToRead } from '../checkpoint/store.ts';
import { openExport } from '../io/open-export.ts';
import { ChatferryError } from '../lib/errors.ts';
import type { MessageRecord } from '../model/records.ts';
import { sources } from '../sources/registry.ts';

/** A message's story, and its record as the model sees it where the export is still there to be read. */
export interface ExplainedMessage extends MessageStory {
  readonly record: MessageRecord | null;
}

/** Everything that is known of a message, by muid or by its id at the source. Empty if the store has none. */
export async function explainId(storePath: string, id: string, signal: AbortSignal): Promise<ExplainedMessage[]> {
  const store = openStoreToRead(storePath);
  try {
    const source = readMeta(store.db, 'source') ?? '';
    const options = JSON.parse(readMeta(store.db, 'sourceOptions') ?? '{}') as unknown;
    const stories = explainMessage(store.db, id);
    const explained = [];
    for (const story of stories) explained.push({ ...story, record: await readRecord(story, source, options, signal) });
    return explained;
  } finally {
    store.close();
  }
}

/** Reads the one file again. An export that was moved or cannot be read any more explains nothing; the books still do. */
async function readRecord(
  story: MessageStory,
  source: string,
  options: unknown,
  signal: AbortSignal,
): Promise<MessageRecord | null> {
  const adapter = sources.find(({ name }) => name === source);
  if (!adapter) return null;
  try {
    const inputs = await openExport([story.input]);
    try {
      for (const input of inputs) {
        for await (const entries of adapter.read(input, options, { signal, wants: (path) => path === story.path })) {
          for (const entry of entries) {
            if (entry.type === 'record' && entry.record.kind === 'message' && entry.record.origin.id === story.originId)
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
