import { openExport } from '../../io/input/open-export.ts';
import { chooseSource } from '../../plan/choose-source.ts';
import { badError } from './bad-error.ts';
import { type Finding, good } from './finding.ts';

/** Whether an export opens and is recognised. Reads as little as that takes: `inspect` reads everything. */
export async function examineExport(exports: readonly string[], source: string | undefined): Promise<Finding> {
  try {
    const inputs = await openExport(exports);
    try {
      const { title } = await chooseSource(inputs, source);
      const names = inputs.map(({ label }) => `"${label}"`).join(', ');
      return good('export', `${names} ${inputs.length === 1 ? 'is' : 'are'} readable: ${title}`);
    } finally {
      for (const input of inputs) await input.close();
    }
  } catch (error) {
    return badError('export', error);
  }
}
