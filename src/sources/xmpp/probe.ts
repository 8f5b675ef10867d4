import type { ExportInput } from '../../io/input/export-input.ts';
import type { Probe } from '../source.ts';
import { findCandidates, type FileKind, recognise } from './files.ts';

const probedMax = 12;

const shown: Readonly<Record<FileKind['kind'], string>> = {
  'xep-0227': 'data of a server (XEP-0227)',
  prosody: 'stanzas in a list of Prosody',
  table: 'the columns of an archive',
  database: 'the table of an archive',
};

export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of findCandidates(await input.paths()).slice(0, probedMax)) {
    const found = await recognise(input, path);
    if (found) return { match: 'certain', because: `${shown[found.kind]} in "${path}"` };
  }
  return { match: 'no' };
}
