import { loadMapping } from '../../mapping/load.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import { resolveMediaRules, rememberedMedia, rememberMedia } from '../../media/media-rules.ts';
import { plan } from '../../plan/plan.ts';
import { addUpMessages } from '../../report/tally.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { planExitCode } from '../../report/verdict.ts';
import { knownDestination, profileOf } from '../../delivery/target.ts';
import { RowsRead } from '../../rows/rows-read.ts';
import { isReadingConfirmed } from '../confirm-reading.ts';
import { beginRun, inSession, type Session, withDefaults } from '../session.ts';
import type { Complete, PlanRequest } from '../requests.ts';
import type { Outcome } from '../results.ts';

export async function planExport(given: PlanRequest): Promise<Outcome> {
  const request = withDefaults(given);
  return await inSession(request, 'plan', async (session) => {
    const { store } = session;
    const profile = profileOf(request);
    const run = beginRun(session, profile.name, undefined);
    await planInto(session, request);
    const media = await notedMedia(session, request);
    if (request.checkMedia) {
      // Loaded on demand: 15 MB that most plans do without.
      const { checkMedia } = await import('../../plan/check-media.ts');
      await checkMedia(store, { progress: request.progress, signal: request.stopping });
    }
    const known = knownDestination(store, request);
    const id = known?.id ?? null;
    const isConfirmed = await isReadingConfirmed(session, request);
    const tally = addUpMessages(store, id);
    const name = known?.name ?? request.appId ?? request.to;
    const report = session.report({ destination: { id, name, profile }, run: run.id, tally, media });
    const own = planExitCode(report, request.failOn);
    // Rows that cannot be read may be why an alarm stops the reading of a mapping that a person wrote.
    const isKept = isConfirmed || (own !== exitCodes.done && report.reading?.state === 'by hand');
    const exit = isKept ? own : exitCodes.usage;
    run.end(exit, { requests: null });
    return { report, exit, counted: { destination: id, tally } };
  });
}

/** Records which messages have which files, if they are to be copied. */
async function notedMedia({ store }: Session, { mapping, media = {} }: PlanRequest): Promise<MediaRules | undefined> {
  const rules = resolveMediaRules(mapping?.media ?? rememberedMedia(store), media);
  if (!rules) return undefined;
  rememberMedia(store, rules);
  const { noteFiles } = await import('../../media/note-files.ts');
  noteFiles(store);
  return rules;
}

export async function planInto({ store, rowsRead }: Session, request: Complete<PlanRequest>): Promise<void> {
  const { allowMappingChange = false, mapping = await loadMapping(undefined) } = request;
  const exports = [request.from].flat();
  const rows = new RowsRead();
  await plan(store, {
    ...request,
    exports,
    mapping,
    allowMappingChange,
    profile: profileOf(request),
    signal: request.stopping,
    onRecord: rows.note,
  });
  rowsRead.push(...(await rows.rows(store, exports, mapping)));
}
