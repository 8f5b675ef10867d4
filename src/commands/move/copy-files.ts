import { docsLink } from '../../lib/docs-link.ts';
import { StoreError, UsageError } from '../../lib/errors.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import type { CopyResult } from '../../media/copy-media.ts';
import { resolveMediaRules, rememberedMedia } from '../../media/media-rules.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import { inSession, withDefaults } from '../session.ts';
import { copyPlannedFiles } from './media/copy-planned-files.ts';
import type { MediaRequest } from '../requests.ts';
import type { CopiedFiles } from '../results.ts';

/** As many as a summary shows. */
const faultsMax = 3;

export async function copyFiles(given: MediaRequest): Promise<CopiedFiles> {
  const request = withDefaults(given);
  return await inSession(request, 'media copy', async ({ store }) => {
    if (store.facts.read('isComplete') !== 'yes') {
      throw new StoreError(`Cannot copy files: the checkpoint store "${store.path}" holds no complete plan`, {
        path: store.path,
        hint: 'Run "chatferry plan EXPORT" first',
      });
    }
    const media = neededRules(request, rememberedMedia(store));
    const { env = process.env } = request;
    const copied = await copyPlannedFiles(store, { ...request, media, env });
    const { messages: waiting } = store.media.countWaiting();
    return {
      ...copied,
      waiting,
      faults: store.media.figures.faults(faultsMax),
      exit: exitOf(copied, request.stopping),
    };
  });
}

/** @throws UsageError if no permanent location for files is set. */
export function neededRules(
  { rules, media = {} }: Pick<MediaRequest, 'rules' | 'media'>,
  remembered?: MediaRules,
): MediaRules {
  const found = resolveMediaRules(rules ?? remembered, media);
  if (found) return found;
  throw new UsageError('Cannot copy files: no location is set', {
    hint: `Pass --media-to with a bucket (s3://bucket/prefix) or a folder; ${docsLink('guides/media')}`,
  });
}

function exitOf({ sums, stopped }: CopyResult, stopping: AbortSignal): number {
  if (stopped) return errorExitCode(stopped);
  if (stopping.aborted || sums.waiting > 0) return exitCodes.stopped;
  return sums.missing + sums.refused > 0 ? exitCodes.someFailed : exitCodes.done;
}
