import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { readBackup } from './backup-file.ts';
import { smsbackupCodes } from './codes.ts';
import { type SmsbackupOptions, smsbackupOptionsSchema } from './options.ts';

/** Backups of SMS Backup & Restore, as `format.ts` says. */
export const smsbackup = defineSource({
  name: 'smsbackup',
  title: 'SMS Backup & Restore (XML)',
  what: 'text messages and MMS of an Android phone, as the app SMS Backup & Restore writes them into XML, with the files inside',
  notes: 'files of any size, groups, emoji, drafts, files inside the backup, overlapping backups',
  sortKeys: 'always',
  options: smsbackupOptionsSchema,
  codes: smsbackupCodes,
  probe,
  read,
});

const headBytes = 16 * 1024;
const probedMax = 8;

/** A comment ends with its first `-->`: with `[\s\S]*?` many of them would take exponential time. */
const begins = /^\ufeff?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(smses|calls)[\s>/]/;

async function rootOf(input: ExportInput, path: string): Promise<string | undefined> {
  const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('utf8');
  return begins.exec(head)?.[1];
}

const candidatesOf = (paths: readonly string[]): readonly string[] =>
  paths.length === 1 ? paths : paths.filter((path) => /\.xml$/i.test(path));

async function probe(input: ExportInput): Promise<Probe> {
  const { own } = withoutClutter(await input.paths());
  for (const path of candidatesOf(own).slice(0, probedMax))
    if ((await rootOf(input, path)) === 'smses') return { match: 'certain', because: `"<smses>" in "${path}"` };
  return { match: 'no' };
}

/** As the app calls its files. */
const named = /(?:^|\/)sms(?:-[\w.-]*)?\.xml$/i;

async function* read(
  exported: ExportInput,
  options: SmsbackupOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await exported.paths();
  const candidates = candidatesOf(withoutClutter(paths).own);
  const roots = new Map<string, string | undefined>();
  for (const path of candidates) roots.set(path, await rootOf(exported, path));
  const input = expectFiles(exported, (path) =>
    candidates.includes(path) ? { what: 'a backup that begins with "<smses>"', begins: /<smses[\s>/]/ } : undefined,
  );
  const sorted = sortPaths(paths, (path) => {
    if (roots.get(path) === 'smses') return 'backup';
    if (roots.get(path) === 'calls') return { skip: 'List of calls, which holds no messages' };
    return named.test(path) || candidates.length === paths.length ? 'backup' : undefined;
  });
  yield* inLists(leftOut(sorted));
  const { signal } = context;
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('backup'),
    context,
    read: (path) => readBackup({ input, path, workspace, options, signal }),
  });
}
