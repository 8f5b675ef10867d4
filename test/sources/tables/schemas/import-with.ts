import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { importExport } from '../../../../src/commands/move.ts';
import { init } from '../../../../src/commands/prepare/init.ts';
import type { Settings } from '../../../../src/lib/settings.ts';
import type { Advisor } from '../../../../src/decisions/proposal.ts';
import { silent } from '../../../../src/lib/flow/progress.ts';
import { never } from '../../../scenes/bench.ts';
import { sessionRequest } from '../../../scenes/session-request.ts';
import { type Difference, differences } from './arrived.ts';
import { recordsOf } from './readings.ts';
import type { Schema } from './schema-set.ts';

/** `init` and `import` of a database into a sandbox. */

export interface Imported {
  /** Keys that were left open: then nothing was imported. */
  readonly questions: readonly string[];
  readonly exit: number;
  /** Differences in the sandbox. */
  readonly found: readonly Difference[];
}

/** @param folder An empty one. */
export async function importWith(
  folder: string,
  schema: Pick<Schema, 'folder' | 'adapter' | 'expected'>,
  settings: Settings,
  advisor: Advisor = {},
): Promise<Imported> {
  const mappingPath = join(folder, 'mapping.yaml');
  const { open, counts } = await init({
    ...{
      exports: [schema.folder],
      mappingPath,
      configPath: join(folder, 'chatferry.yaml'),
      source: schema.adapter.name,
    },
    ...{ config: {}, settings, force: false, progress: silent, signal: never, advisor },
  });
  const questions = open.map(({ id }) => id.replace('source.', ''));
  if (questions.length > 0 || counts === null) return { questions, exit: 2, found: [] };
  const mapping = readFileSync(mappingPath, 'utf8');
  const request = { mapping, from: [schema.folder], source: schema.adapter.name, askReading: async () => true };
  const { exit } = await importExport(await sessionRequest(folder, request));
  const records = await recordsOf(schema, (parse(mapping) as { source: Settings }).source);
  return { questions, exit, found: differences(schema.expected, join(folder, 'chatferry.sandbox.db'), records) };
}

export const described = ({ id, field, found, wanted }: Difference): string =>
  `${id} ${field}: ${JSON.stringify(found)} rather than ${JSON.stringify(wanted)}`;
