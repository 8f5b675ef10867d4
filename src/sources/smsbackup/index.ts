import type { ExportInput } from '../../io/input/export-input.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { smsbackupCodes } from './codes.ts';
import { smsbackupOptionsSchema } from './options.ts';
import { findRoot, findCandidates } from './layout.ts';

/** Backups of SMS Backup & Restore, as `format.ts` says. */
export const smsbackup = defineSource({
  name: 'smsbackup',
  title: 'SMS Backup & Restore (XML)',
  options: smsbackupOptionsSchema,
  codes: smsbackupCodes,
  probe,
  read: lateRead(() => import('./read.ts')),
});

const probedMax = 8;

async function probe(input: ExportInput): Promise<Probe> {
  const { own } = withoutClutter(await input.paths());
  for (const path of findCandidates(own).slice(0, probedMax))
    if ((await findRoot(input, path)) === 'smses') return { match: 'certain', because: `"<smses>" in "${path}"` };
  return { match: 'no' };
}
