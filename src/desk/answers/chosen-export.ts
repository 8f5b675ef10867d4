import { z } from 'zod';
import { exportsFor } from '../../config/configured-exports.ts';
import { exportAround } from '../../lib/files/outside-exports.ts';
import { isSandbox } from '../../report/report-data.ts';
import { checkServerAddress } from '../../sources/inspect-server.ts';
import { UsageError } from '../../lib/errors.ts';
import { isServerAddress } from '../../io/input/server-input.ts';
import { type DroppedFiles, droppedFolder, filesMax, sliceBytesMax } from '../files/dropped.ts';
import type { Workspace } from '../files/workspace.ts';
import { Busy } from '../runs/runner.ts';
import type { ChosenRoutes, SourceView } from '../shapes.ts';
import { BadRequest, checkedBody } from './faults.ts';
import type { AnswersTo } from './routes.ts';

/** The export cannot be removed: messages of it are still to be sent. */
export class StillNeeded extends Error {}

interface ChoosingRequest {
  readonly workspace: Workspace;
  readonly dropped: DroppedFiles;
  /** Whether a run goes on that needs the export. */
  readonly isBusy: () => boolean;
  /** Looks at the export again, as far as it has changed. */
  readonly look: (isAgain: boolean) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets a variable of this process, which those that it starts inherit. */
  readonly setVariable: (name: string, value: string) => void;
  readonly view: () => Promise<SourceView>;
}

/** Answers with which the user chooses the export in the page: files that were dropped, or a database. */
export function chosenAnswers(request: ChoosingRequest): AnswersTo<ChosenRoutes> {
  const { workspace, dropped, isBusy, look, env, setVariable, view } = request;
  const assertIdle = () => {
    if (isBusy()) throw new Busy();
  };
  /** Its source is another one, perhaps: it is recognised again. */
  const choose = async (path: string | null) => {
    const config = workspace.configPath ?? './chatferry.yaml';
    const [named = null] = path === null ? [] : (exportsFor(config, [path]) ?? []);
    await workspace.writeConfig({ export: named, source: null });
    look(true);
    return await view();
  };
  return {
    'PUT upload': async (search, body) => ({ received: await dropped.receive(sliceIn(search, body)) }),
    'POST upload-end': async (_, body) => {
      const files = checkedBody(uploadEnd, body).files.map(({ name, size: sizeBytes }) => ({ name, sizeBytes }));
      assertIdle();
      return await choose(await dropped.finish(files));
    },
    'DELETE files': async () => {
      assertIdle();
      assertNotNeeded(workspace);
      const isExport = isDropped(workspace);
      await dropped.remove();
      return isExport ? await choose(null) : await view();
    },
    'POST export': async (_, body) => {
      const { version, address } = checkedBody(chosenDatabase, body);
      // Also if the shape is wrong: a password in it must not be shown.
      if (!isServerAddress(address)) throw notAnAddress;
      checkServerAddress(address, env);
      workspace.assertVersion(version);
      assertIdle();
      return await choose(address);
    },
    'POST password': async (_, body) => {
      const { password } = checkedBody(givenPassword, body);
      const server = workspace.exports().find(isServerAddress);
      if (server === undefined) throw new UsageError('Cannot log in: the export is no database server');
      setVariable(checkServerAddress(server, env), password);
      look(true);
      return {};
    },
  };
}

const uploadEnd = z.strictObject({
  files: z
    .array(z.strictObject({ name: z.string().min(1), size: z.int().min(0) }))
    .min(1)
    .max(filesMax),
});

const chosenDatabase = z.strictObject({
  version: z.string(),
  kind: z.literal('database'),
  address: z.string().min(1).max(2_000),
});

/** The error never holds what was sent. */
const givenPassword = z.strictObject({
  password: z
    .string()
    .min(1)
    .max(1_000)
    // A variable ends there.
    .refine((text) => !text.includes('\0'), 'has a character that no password can have'),
});

const notAnAddress = new UsageError(
  'Cannot use the address of the database: it begins with none of the known schemes',
  {
    hint: 'Write it as postgres://USER@HOST:PORT/DATABASE, or with mysql:// or mariadb://',
  },
);

/** Part of a file as it comes: where it belongs is in the address. */
function sliceIn(search: URLSearchParams, bytes: unknown) {
  const { success, data } = sliceGiven.safeParse(Object.fromEntries(search));
  if (!success || !(bytes instanceof Uint8Array)) throw new BadRequest('Cannot take a part of a file of this form');
  const { name, at, size: sizeBytes, modified: modifiedMs } = data;
  if (at < 0 || bytes.length > sliceBytesMax || at + bytes.length > sizeBytes)
    throw new BadRequest('Cannot take a part of a file that is longer than the file, or than 8 MiB');
  return { name, at, sizeBytes, modifiedMs, bytes };
}

const digits = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);

const sliceGiven = z.strictObject({ name: z.string().min(1), at: digits, size: digits, modified: digits });

/** Whether the export is one that was dropped, or a part of it. */
const isDropped = (workspace: Workspace): boolean =>
  workspace.exports().some((path) => !isServerAddress(path) && exportAround(path, [droppedFolder]) !== undefined);

/** @throws StillNeeded */
function assertNotNeeded(workspace: Workspace): void {
  const { destination, totals } = workspace.report('plan') ?? {};
  if (destination === undefined || destination === null || isSandbox(destination) || totals === undefined) return;
  if (totals.pending + totals.unconfirmed > 0 && isDropped(workspace)) throw new StillNeeded();
}
