import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Secret } from '../../../src/lib/secret.ts';
import { importExport } from '../../../src/commands/move.ts';
import { verifyDestination } from '../../../src/commands/check.ts';
import { exitCodes } from '../../../src/model/exit-codes.ts';
import { apiKey } from '../../scenes/bench.ts';
import { type ExportShape, type GeneratedExport, makeExport } from '../../scenes/make-export.ts';
import { servedFaulty, type ServedFaulty } from '../../scenes/served-sandbox.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import type { ImportRequest, VerifyRequest } from '../../../src/commands/requests.ts';
import type { Outcome } from '../../../src/commands/results.ts';

export interface Scene extends ServedFaulty {
  readonly made: GeneratedExport;
  readonly request: ImportRequest;
  /** Path of the checkpoint store. */
  readonly store: string;
  verify(more?: Partial<VerifyRequest>): Promise<Outcome>;
}

/** A made-up export, imported to a server of its own. */
export async function importedScene(
  folder: string,
  shape: Partial<ExportShape> = {},
  changes: Pick<Partial<ImportRequest>, 'verify'> = {},
): Promise<Scene> {
  const made = makeExport(join(folder, 'export'), {
    seed: 4,
    messages: 120,
    channels: 2,
    directs: 2,
    groupDirects: 1,
    ...shape,
  });
  const served = await servedFaulty(folder);
  const request = await sessionRequest(folder, {
    to: served.url,
    apiKey: new Secret(apiKey),
    overrides: { graceLongMs: 0 },
    ...changes,
  });
  const { exit } = await importExport(request);
  if (exit !== (request.verify === false ? exitCodes.differences : exitCodes.done))
    throw new Error(`The import ended with ${exit}`);
  const verify = (more: Partial<VerifyRequest> = {}) => verifyDestination({ ...request, ...more });
  return { ...served, made, request, store: request.store, verify };
}

/** Changes a SQLite file behind the program's back. */
export function alter<T>(path: string, change: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return change(db);
  } finally {
    db.close();
  }
}

export interface ServedRow {
  readonly id: number;
  readonly muid: string;
  readonly conversation: number;
}

/** The messages of the longest conversation of a sandbox's data, in the order of arrival. */
export const longest = (db: Database.Database): ServedRow[] =>
  db
    .prepare<[], ServedRow>(
      `SELECT id, muid, conversation FROM message WHERE conversation =
         (SELECT conversation FROM message GROUP BY conversation ORDER BY count(*) DESC, conversation LIMIT 1) ORDER BY id`,
    )
    .all();
