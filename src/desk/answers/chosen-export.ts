import { z } from 'zod';
import { exportsFor } from '../../config/configured-exports.ts';
import { exportAround } from '../../lib/files/outside-exports.ts';
import { sourceNamed } from '../../plan/choose-source.ts';
import { isSandbox } from '../../report/report-data.ts';
import { UsageError } from '../../lib/errors.ts';
import { isServerAddress } from '../../io/input/server-input.ts';
import { droppedFolder, filesMax, sliceBytesMax } from '../files/dropped.ts';
import type { Workspace } from '../files/workspace.ts';
import { Busy } from '../runs/runner.ts';
import type { ChosenRoutes, SourceView } from '../shapes.ts';
import { BadRequest, checkedBody, StillNeeded } from './faults.ts';
import type { Parts } from './parts.ts';
import { copySample } from './from-package.ts';
import type { AnswersTo } from './routes.ts';

/** Answers with which the user chooses the export in the page: files that are dropped, or a database. */
export function chosenAnswers(parts: Parts, view: () => Promise<SourceView>): AnswersTo<ChosenRoutes> {
  const { workspace, dropped, looking, password: kept } = parts;
  const whenIdle = (change: () => unknown) => async () => {
    await untilIdle(parts);
    await change();
  };
  return {
    'PUT upload': async (search, body) => ({ received: await dropped.receive(sliceIn(search, body)) }),
    'POST upload-end': async (_, body) => {
      const files = checkedBody(uploadEnd, body).files.map(fileIn);
      await workspace.inTurn(whenIdle(async () => choose(parts, await dropped.finish(files))));
      return await view();
    },
    'DELETE files': async () => {
      await workspace.inTurn(async () => {
        assertNotNeeded(workspace);
        await untilIdle(parts);
        if (isDropped(workspace)) choose(parts, null);
        await dropped.remove();
      });
      return await view();
    },
    'POST sample': async () => {
      await workspace.inTurn(whenIdle(async () => choose(parts, await copySample(dropped))));
      return await view();
    },
    'POST export': async (_, body) => {
      const { version, address, password } = checkedBody(chosenDatabase, body);
      // An address may hold a password, whatever its scheme: no error repeats it.
      if (!isServerAddress(address)) throw noServer();
      kept.check(address);
      await workspace.change(
        version,
        whenIdle(() => {
          if (password !== undefined) kept.set(address, password);
          choose(parts, address);
        }),
      );
      return await view();
    },
    'POST read-as': async (_, body) => {
      const { version, source } = checkedBody(namedSource, body);
      if (source !== null) sourceNamed(source);
      await workspace.change(version, async () => {
        await untilIdle(parts);
        workspace.writeConfig({ source });
        looking.again();
      });
      return await view();
    },
    'POST password': (_, body) => {
      const { password } = checkedBody(givenPassword, body);
      const server = workspace.exports().find(isServerAddress);
      if (server === undefined) throw new UsageError('Cannot log in: the export is no database server');
      kept.set(server, password);
      looking.again();
      return {};
    },
  };
}

/** Stops the count of an export that is to be replaced. @throws Busy while anything else goes on. */
export async function untilIdle({ runner, follower }: Parts): Promise<void> {
  if ((runner.isBusy && runner.now()?.kind !== 'inspect') || (await follower.isHeld())) throw new Busy();
  if (runner.isBusy) await runner.close();
}

/** @param path From the folder of the desk; null for none. */
export function choose({ workspace, looking }: Parts, path: string | null): void {
  const [named = null] = path === null ? [] : (exportsFor(workspace.configPath ?? './chatferry.yaml', [path]) ?? []);
  // Perhaps it is an export of another source.
  workspace.writeConfig({ export: named, source: null });
  looking.again();
}

const uploadEnd = z.strictObject({
  files: z
    .array(z.strictObject({ name: z.string().min(1), size: z.int().min(0), modified: z.int() }))
    .min(1)
    .max(filesMax),
});

type UploadedFile = z.infer<typeof uploadEnd>['files'][number];
const fileIn = ({ name, size, modified }: UploadedFile) => ({ name, sizeBytes: size, modifiedMs: modified });

/** Null: it is recognised again. */
const namedSource = z.strictObject({ version: z.string(), source: z.string().max(100).nullable() });

/** The error never holds what was sent. */
const givenPassword = z.strictObject({
  password: z
    .string()
    .min(1)
    .max(1_000)
    // A variable ends there.
    .refine((text) => !text.includes('\0'), 'has a character that no password can have'),
});

const chosenDatabase = givenPassword.partial().extend({
  version: z.string(),
  kind: z.literal('database'),
  address: z.string().min(1).max(2_000),
});

const noServer = () =>
  new UsageError('Cannot use the address of the database: it begins with none of the schemes that are read', {
    hint: 'Write it as postgres://USER@HOST:PORT/DATABASE, or with mysql:// or mariadb://',
  });

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
