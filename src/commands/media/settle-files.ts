import type { Store } from '../../checkpoint/open.ts';
import { rememberedMedia } from '../../media/media-rules.ts';

/**
 * Gives messages the addresses of files that were copied, and copies none: a plan since then has the addresses of the export. One whose
 * file nobody has tried to copy yet waits. Where no files are copied nothing is done.
 */
export async function settleFiles(
  store: Store,
  when: { readonly nowMs: number; readonly dataBytesMax: number | undefined },
): Promise<void> {
  const rules = rememberedMedia(store);
  if (!rules) return;
  const { noteFiles } = await import('../../media/note-files.ts');
  const { makePayloads } = await import('../../media/make-payloads.ts');
  noteFiles(store);
  const missing = store.media.mediaSums().waiting > 0 ? 'wait' : rules.missing;
  makePayloads(store, { ...when, missing, drift: 'report' });
}
