import { mediaSums } from '../../checkpoint/media/media-files.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { rememberedMedia } from '../../media/media-rules.ts';

/**
 * Gives messages the addresses of files that were copied, and copies none: a plan since then has the addresses of the export. One whose
 * file nobody has tried to copy yet waits. Where no files are copied nothing is done.
 */
export async function settleFiles(
  store: Store,
  when: { readonly nowMs: number; readonly dataBytesMax: number | undefined },
): Promise<void> {
  const rules = rememberedMedia(store.db);
  if (!rules) return;
  const { noteFiles } = await import('../../media/note-files.ts');
  const { makePayloads } = await import('../../media/make-payloads.ts');
  noteFiles(store);
  const missing = mediaSums(store.db).waiting > 0 ? 'wait' : rules.missing;
  makePayloads(store, { ...when, missing, drift: 'report' });
}
