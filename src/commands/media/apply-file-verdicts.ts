import type { Store } from '../../checkpoint/open.ts';
import { rememberedMedia } from '../../media/media-rules.ts';

/**
 * Gives messages the addresses of copied files, and copies none: a plan made since then has the addresses of the
 * export. A message waits if its file has not been tried yet. If no files are copied, nothing is done.
 */
export async function applyFileVerdicts(
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
