import { existsSync } from 'node:fs';
import { z } from 'zod';
import { sourceNamed } from '../../plan/choose-source.ts';
import { isTableSource } from '../../sources/table-source.ts';
import { peopleFacts } from '../engine/people-calls.ts';
import type { Parts } from './parts.ts';
import { commandLine } from '../runs/command-lines.ts';
import { confirmedDigest } from '../../decisions/decision.ts';
import { Changed } from '../files/workspace.ts';
import { Busy, type Preparation } from '../runs/runner.ts';
import type { DeskRun, RunKind, RunRequest, StateRoutes } from '../shapes.ts';
import { byName } from './changes.ts';
import { BadRequest, checkedBody } from './faults.ts';
import type { AnswersTo } from './routes.ts';

const runRequest: z.ZodType<RunRequest> = z.strictObject({
  kind: z.enum(['inspect', 'plan', 'rehearse', 'report', 'doctor', 'media', 'import', 'verify', 'undo']),
  version: z.string().optional(),
  repair: z.boolean().optional(),
  isDry: z.boolean().optional(),
  confirmReading: z.string().max(100).optional(),
  by: byName.optional(),
});

export const runAnswers = (parts: Parts): AnswersTo<Pick<StateRoutes, 'POST run' | 'POST stop'>> => ({
  'POST run': (_, body) => {
    const request = checkedBody(runRequest, body);
    // A command reads the files as the answers before it leave them.
    return parts.workspace.inTurn(() => start(parts, request));
  },
  'POST stop': () => (parts.runner.isBusy ? parts.runner.stop() : (parts.follower.stop() ?? parts.runner.now())),
});

/** @throws Busy, Changed, UsageError */
async function start(parts: Parts, request: RunRequest): Promise<DeskRun> {
  const { runner, follower, workspace } = parts;
  const { kind, version } = request;
  // Whoever agreed to these saw a destination and counts.
  if (version === undefined && (kind === 'import' || kind === 'undo'))
    throw new BadRequest('Name the version that was seen');
  if (version !== undefined) workspace.assertVersion(version);
  if (request.confirmReading !== undefined) await assertShown(parts, request.confirmReading);
  if (kind !== 'inspect' && (await follower.isHeld())) throw new Busy();
  const line = commandLine(kind, parts.facts(), request);
  // Counting begins by itself, so nobody waits for it.
  if (kind !== 'inspect' && runner.isBusy && runner.now()?.kind === 'inspect') await runner.close();
  return runner.start(kind, line, buildPreparation(kind, parts));
}

/** @throws Changed if another reading is there by now. */
async function assertShown({ deciding }: Parts, digest: string): Promise<void> {
  const reading = (await deciding.cards()).find(({ id }) => id === 'reading');
  if (reading === undefined || confirmedDigest(reading) !== digest) throw new Changed();
}

const hasMapping = (workspace: Parts['workspace']): boolean => existsSync(workspace.paths().mapping);

function buildPreparation(kind: RunKind, { engine, workspace, chats, looking }: Parts): Preparation | undefined {
  const source = looking.found && 'recognised' in looking.found ? looking.found.recognised.source : undefined;
  // Tables with nothing to decide: no answer has written yet how they are read.
  if (kind === 'plan' && source !== undefined && isTableSource(sourceNamed(source)) && !hasMapping(workspace))
    return { stage: 'Writing the mapping', work: () => engine.call('writeReading', peopleFacts(workspace)) };
  if (kind !== 'rehearse') return undefined;
  const { store, rehearsal: into } = workspace.paths();
  return {
    stage: 'Copying the plan',
    work() {
      // They are deleted with the rehearsal before.
      chats.close();
      return engine.call('copyForRehearsal', { store, into });
    },
  };
}
