import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planExport } from '../../../src/commands/prepare.ts';
import { loadMapping } from '../../../src/mapping/load.ts';
import { isAccountedFor } from '../../../src/model/totals.ts';
import { errorExitCode } from '../../../src/model/exit-codes.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import type { MutableSample } from './mutated-sample.ts';
import type { Mutation } from './mutation.ts';

/** How a whole plan of a mutated sample ended, with its store. */
export interface PlannedSample {
  readonly exit: number;
  /** Whether every row is accounted for; true for a plan that was refused. */
  readonly isBalanced: boolean;
}

/** Plans it as a user would, in a folder of its own. */
export async function planOf(
  { name: source }: SourceAdapter,
  { sample, input }: MutableSample,
  mutation: Mutation,
  folder: string,
): Promise<PlannedSample> {
  const paths = await input.paths();
  const from = join(folder, 'export');
  for (const path of paths) {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    const isMutated = path === mutation.path;
    writeFileSync(join(from, path), isMutated ? mutation.text() : await input.read(path, Number.MAX_SAFE_INTEGER));
  }
  const mappingPath = join(sample.folder, 'mapping.yaml');
  const mapping = await loadMapping(existsSync(mappingPath) ? mappingPath : undefined);
  const [first = ''] = paths;
  const store = join(folder, 'chatferry.db');
  try {
    const { report, exit } = await planExport({
      ...{ store, source, mapping },
      from: paths.length === 1 ? join(from, first) : from,
    });
    return { exit, isBalanced: isAccountedFor(report.totals) };
  } catch (error) {
    return { exit: errorExitCode(error), isBalanced: true };
  }
}
