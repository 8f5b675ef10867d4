import type { Command } from 'commander';
import { copyFiles, undoFiles, verifyFiles } from '../../commands/move.ts';
import { type Options, optionDefaults } from '../../config/options.ts';
import type { DestinationError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { loadMediaRules } from '../../mapping/load.ts';
import { stoppedBy, mediaFlagsOf } from '../../commands/session.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf, formatCount, hostLabel } from '../../report/format.ts';
import { type Host, programName } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { ask } from '../terminal/ask.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print } from '../terminal/print.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { MediaRequest } from '../../commands/requests.ts';
import type { CopiedFiles, VerifiedFiles, PlannedRemoval, RemovedFiles } from '../../commands/results.ts';

const { store, media: mediaOptions } = optionGroups;
const told = ['json', 'quiet', 'progress'] as const;

export function addMedia(program: Command, host: Host): void {
  const media = program
    .command('media')
    .description(`Manages files of messages and their copies: ${docsLink('guides/media')}.`);
  addCopy(media, host);
  addVerifyMedia(media, host);
  addUndoMedia(media, host);
}

function addCopy(media: Command, host: Host): void {
  const command = media
    .command('copy')
    .summary('copy the files of planned messages to permanent storage')
    .description(
      'Copies the files of planned messages, from the export or from their addresses, to permanent storage; files that expire first come ' +
        'first, and the same content is kept once. The next import sends the new addresses. The same command continues after any ' +
        'interruption.\nExit 0 if every file is there, 3 if some are missing or refused, 5 if some may be had later.',
    );
  addOptions(command, [...store, 'mapping', 'drift', ...mediaOptions, ...told]);
  addAction(command, host, async (options, around) => {
    const copied = await copyFiles(await buildRequest(options, around));
    const { sums, stopped, waiting, exit } = copied;
    const result = { ...sums, waitingMessages: waiting, stopped, exit };
    return say(host, options, { command: 'media copy', result, words: describeCopied(copied, storeFlag(options)) });
  });
}

/** @param where The store, as a command names it. */
function describeCopied({ sums, faults, stopped, waiting }: CopiedFiles, where: string): string {
  const lines = [
    `Files     ${sums.files === 0 ? 'no planned message has one that could be copied' : formatSums(sums)}`,
    ...describeFaults(faults),
    ...(waiting > 0
      ? [
          `Waiting   ${countOf(waiting, 'message')} until their files are copied, or you decide: --media-missing original or name`,
        ]
      : []),
    ...describeStop(stopped),
    `Next      ${programName} ${sums.waiting > 0 ? 'media copy' : 'import'}${where}`,
  ];
  return lines.join('\n');
}

const formatSums = ({ files, copied, copiedBytes, shared, missing, refused, waiting }: CopiedFiles['sums']): string =>
  `${countOf(files, 'file')} of planned messages = ${formatCount(copied)} copied (${formatBytes(copiedBytes)}) + ${formatCount(shared)} shared + ${formatCount(missing)} missing + ${formatCount(refused)} refused${waiting > 0 ? ` + ${formatCount(waiting)} not copied yet` : ''}`;

function describeFaults({ faults, count }: CopiedFiles['faults']): string[] {
  const rest = count - faults.length;
  return [
    ...faults.map(
      ({ state, name, host, reason, location }) =>
        `  ${state}  ${oneLine(location)}: ${oneLine(name)} (${oneLine(hostLabel(host || null))}): ${oneLine(reason)}`,
    ),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report: chatferry report`] : []),
  ];
}

const storeFlag = ({ store: path }: Options): string =>
  path === optionDefaults.store ? '' : ` --store ${quoted(path)}`;

interface Said {
  readonly command: string;
  readonly result: { readonly stopped: DestinationError | undefined; readonly exit: number };
  readonly words: string;
}

/** @returns The exit code. */
function say(host: Host, { json, store: path }: Options, { command, result, words }: Said): number {
  const { stopped, exit, ...sums } = result;
  const object = { command, store: path, ...sums, stopped: stopped ? stoppedBy(stopped) : null, exit };
  print(host, json ? JSON.stringify(object) : words);
  return exit;
}

const describeStop = (stopped: DestinationError | undefined): string[] =>
  stopped
    ? [`Stopped   ${oneLine(stopped.message)}`, ...(stopped.hint ? [`          ${oneLine(stopped.hint)}`] : [])]
    : [];

function addVerifyMedia(media: Command, host: Host): void {
  const command = media
    .command('verify')
    .summary('read copied files back, and compare their digests')
    .description(
      'Reads copied files back from storage, and compares their length and digest with those of the written files.\n' +
        'Exit 0 if nothing differs, 6 if something does.',
    );
  addOptions(command, [...store, 'mapping', ...mediaOptions, 'sample', ...told]);
  addAction(command, host, async (options, around) => {
    const found = await verifyFiles({ ...(await buildRequest(options, around)), sample: options.sample });
    return say(host, options, {
      command: 'media verify',
      result: found,
      words: describeVerified(found, storeFlag(options)),
    });
  });
}

function describeVerified(found: VerifiedFiles, where: string): string {
  const { location, same, bytes, files, differences, differenceCount, stopped } = found;
  return [
    `Read back ${countOf(same, 'file')} of ${formatCount(files)} at ${oneLine(location)}: as they were written (${formatBytes(bytes)})`,
    ...(differenceCount > 0 ? [`Different ${countOf(differenceCount, 'file')}`] : []),
    ...differences.map(({ key, what }) => `          ${oneLine(key)}: ${what}`),
    ...(differenceCount > 0
      ? [
          `          Remove damaged files and verify again; then "${programName} media copy${where}" copies missing files again`,
        ]
      : []),
    ...describeStop(stopped),
  ].join('\n');
}

function addUndoMedia(media: Command, host: Host): void {
  const command = media
    .command('undo')
    .summary('delete copied files; only those that Chatferry wrote')
    .description(
      'Deletes the files that copying wrote, after it shows their number and asks. Any file that existed before, or has changed since, ' +
        'stays. Messages that were not sent yet wait until their files are copied again.',
    );
  addOptions(command, [...store, 'mapping', ...mediaOptions, 'yes', ...told]);
  addAction(command, host, async (options, around) => {
    const request = await buildRequest(options, around);
    const result = await undoFiles({ ...request, confirm: (planned) => confirmRemoval(planned, options, around) });
    return say(host, options, { command: 'media undo', result, words: describeRemoved(result) });
  });
}

async function confirmRemoval(
  planned: PlannedRemoval,
  options: Options,
  { host, stopping }: CommandContext,
): Promise<boolean> {
  const { files, bytes, location, messages, others } = planned;
  const what = `delete ${countOf(files, 'file')} (${formatBytes(bytes)}) at ${oneLine(location)}`;
  const show = () => {
    if (messages > 0)
      print(host, `${countOf(messages, 'message')} at a destination will have files that can no longer be opened.`);
    if (others > 0) print(host, `${countOf(others, 'file')} existed before and will be kept.`);
  };
  if (!options.yes)
    return await ask(host, { what, show, question: `D${what.slice(1)}? This cannot be undone.`, stopping });
  if (!options.json && !options.quiet) show();
  return true;
}

function describeRemoved({ files, removed, changed, others, location, stopped }: RemovedFiles): string {
  if (files === 0) return `No files written by Chatferry at ${oneLine(location)}`;
  return [
    `Deleted   ${countOf(removed, 'file')} of ${formatCount(files)} at ${oneLine(location)}`,
    ...(changed > 0 ? [`Left      ${countOf(changed, 'file')}: the content has changed since`] : []),
    ...(others > 0 ? [`Left      ${countOf(others, 'file')}: existed before anything was copied`] : []),
    ...describeStop(stopped),
  ].join('\n');
}

const buildRequest = async (options: Options, around: CommandContext): Promise<MediaRequest> => ({
  ...around,
  store: options.store,
  rules: await loadMediaRules(options.mapping),
  media: mediaFlagsOf(options),
  drift: options.drift,
  env: around.host.env,
});
