import { existsSync } from 'node:fs';
import { openStoreToRead } from '../../store/open.ts';
import { StoreError } from '../../lib/errors.ts';
import type { RunState, RunStage } from '../../viewer/shapes.ts';
import type { Options } from '../../config/options.ts';
import { sandboxPathOf } from '../../delivery/target.ts';
import { untilStopped } from '../operate/until-stopped.ts';
import type { CommandContext } from '../command-context.ts';
import { openPage } from '../terminal/open-page.ts';
import { print } from '../terminal/print.ts';
import { serveWhereLinksLead } from '../operate/serve-where-links-lead.ts';
import { openViewer } from '../operate/viewer.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { formatCount } from '../../report/format.ts';
import type { Progress } from '../terminal/progress.ts';
import { createStage, type StageState } from '../terminal/progress-stage.ts';

export interface ViewedImport {
  /** Surroundings in which the import runs: its progress is shown in the page as well. */
  readonly around: CommandContext;
  /** Shows what it came to until Ctrl-C, unless it was stopped by that. */
  end(outcome: string): Promise<void>;
  close(): Promise<void>;
}

/** Problems that are shown, of each kind, and how often they are looked for, in ms. */
const problemsMax = 8;
const problemsEveryMs = 2_000;

/**
 * Serves a page that shows an import while it runs, to this machine alone, and opens it in the browser.
 *
 * @param exports Of the command line; none: those of the configuration.
 */
export async function viewImport(
  given: CommandContext,
  options: Options,
  exports: readonly string[],
): Promise<ViewedImport> {
  const { host, clock } = given;
  const feed = createRunFeed(given.progress, clock);
  const isEmbedded = options.appId === undefined && (options.to ?? 'sandbox') === 'sandbox';
  let ended: Pick<RunState, 'endedAtMs' | 'outcome'> = { endedAtMs: null, outcome: null };
  const notices: string[] = [];
  const problems = problemsReader(options.store, () => clock.monotonic());
  const startedAtMs = clock.now();
  const destination = destinationLabel(options);
  const run = (): RunState => ({
    command: 'import',
    destination,
    startedAtMs,
    ...ended,
    stages: feed.stages(),
    notices,
    problems: problems(),
  });
  const viewer = await openViewer({
    data: isEmbedded ? sandboxPathOf(options.store) : undefined,
    run,
    exports: () => (exports.length > 0 ? exports : given.configured),
    onEntered: (entrance) => given.progress.log(`Viewer for another browser: ${server.url}${entrance}`),
  });
  const server = await serveWhereLinksLead(viewer.page, (fault) => void host.stderr.write(`${String(fault)}\n`));
  const entranceNow = () => server.url + viewer.page.entrance;
  given.progress.log(`Viewer: ${entranceNow()}`);
  openPage(entranceNow(), host.env);
  const log = (line: string) => {
    notices.push(line);
    given.progress.log(line);
  };
  return {
    around: { ...given, progress: { ...feed, log } },
    async end(outcome) {
      ended = { endedAtMs: clock.now(), outcome };
      if (given.stoppedBy() !== undefined) return;
      // From here on a signal ends the page, not the import.
      given.close();
      if (!options.json) print(host, `\nThe viewer shows it until Ctrl-C: ${entranceNow()}\n`);
      await untilStopped(host);
    },
    async close() {
      await server.close(500);
      viewer.close();
    },
  };
}

/** An address may hold a password: only its host is shown. */
function destinationLabel({ to = 'sandbox', appId }: Options): string {
  if (appId !== undefined) return appId;
  return URL.canParse(to) ? new URL(to).host : to;
}

/** Reads the store from time to time; until the store exists there is nothing to show. */
function problemsReader(store: string, nowMs: () => number): () => RunState['problems'] {
  let shown: RunState['problems'] = [];
  let updatedMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (nowMs() - updatedMs < problemsEveryMs || !existsSync(store)) return shown;
    updatedMs = nowMs();
    try {
      const opened = openStoreToRead(store);
      try {
        shown = opened.totals.findings.newest(problemsMax);
      } finally {
        opened.close();
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    return shown;
  };
}

/** Progress that is drawn as before, and whose state can be read. */
export interface RunFeed extends Progress {
  /** In the order in which they began. */
  stages(): RunStage[];
}

interface Kept {
  readonly state: StageState;
  readonly startedMs: number;
  endedMs?: number;
  summary?: string;
}

/** A run has a handful of stages; a job that never ends keeps beginning new ones. */
const stagesMax = 50;

/** @param shown Draws it. */
export function createRunFeed(shown: Progress, clock: Pick<Clock, 'monotonic'>): RunFeed {
  const stages: Kept[] = [];
  return {
    ...shown,
    stage(name, options) {
      const drawn = shown.stage(name, options);
      const state = createStage(name, options ?? {}, { clock, color: false });
      const kept: Kept = { state, startedMs: clock.monotonic() };
      if (stages.push(kept) > stagesMax) stages.shift();
      return {
        update(update) {
          state.set(update);
          drawn.update(update);
        },
        finish(summary) {
          kept.endedMs ??= clock.monotonic();
          if (summary !== undefined) kept.summary = summary;
          drawn.finish(summary);
        },
      };
    },
    stages: () => stages.map(toRunStage),
  };
}

function toRunStage({ state, startedMs, endedMs, summary }: Kept): RunStage {
  const { name, done, total = null, rate, etaMs, waiting, note = null } = state.now();
  const shown = { name, done, total };
  if (endedMs !== undefined) {
    const ending = summary ?? `${formatCount(done)} in ${formatDuration(endedMs - startedMs)}`;
    return { ...shown, perSecond: null, etaMs: null, waiting: null, note: null, summary: ending };
  }
  const wait = waiting === undefined ? null : { reason: waiting.reason, ms: waiting.ms ?? null };
  return { ...shown, perSecond: rate, etaMs, waiting: wait, note, summary: null };
}
