import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { findDatabase } from './open-database.ts';

export async function probe(input: ExportInput): Promise<Probe> {
  const found = await findDatabase(input);
  if (!found) return { match: 'no' };
  // Next to other files it may be the intended one, or one of them.
  const isAlone = (await input.paths()).length === 1;
  return { match: isAlone ? 'certain' : 'likely', because: found.because };
}
