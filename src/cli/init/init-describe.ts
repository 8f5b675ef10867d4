import { programName } from '../host.ts';
import { describeDecisions, formatFlag, proposedFlags } from '../terminal/decisions.ts';
import { padded, widest } from '../terminal/findings.ts';
import { confirmingLine, readingLines } from '../../report/terminal.ts';
import { countOf } from '../../report/format.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import {
  describeIgnored,
  describeMessage,
  describeNotMigrated,
  describeOwn,
  describeRows,
} from '../prepare/inspect.ts';
import type { FileChange } from '../../config/written-file.ts';
import { customName } from '../../decisions/proposal.ts';
import { dotted, settingText } from '../../lib/settings.ts';
import { keepableColumns, type UnreadColumn } from '../../sources/not-migrated.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import type { InitResult } from '../../commands/results.ts';

/** Facts that `init` prints in addition to its findings. */
interface Surrounding {
  /** Added to the next command. */
  readonly flags: readonly string[];
  /** Whether commands use all of the configuration; else it has to be trusted first. */
  readonly counts: boolean;
  /** Whether `--assume` was there to decide what is harmless. */
  readonly assume: boolean;
  /** Whether the mapping is inside the export. */
  readonly isInside: boolean;
  readonly isCounted: boolean;
  /** Whether the picture of the reading was shown, with its rows. */
  readonly isShown: boolean;
  readonly columns: number;
}

/** Describes what was found and written, what is open, and what to do next. */
export function describeInit(
  result: InitResult,
  exports: readonly string[],
  { flags, counts: isTrusted, assume, isInside, isCounted, isShown, columns }: Surrounding,
): string {
  const { files, open, kept, setKeys, counts, examples, invalidRows, ignored } = result;
  const arguments_ = [...exports.map(quoted), ...flags].join(' ');
  const [mapping, ...others] = files.map(describeFile);
  const lines = [mapping!];
  if (setKeys.length > 0) lines.push(`  now decided there: ${setKeys.map(oneLine).join(', ')}`);
  lines.push(...others);
  if (isInside) {
    const trust = `${programName} trust ${quoted(oneLine(files[0]!.path))}`;
    lines.push(`They lie in the export, and count there as they are now: after a change of the mapping run ${trust}`);
  }
  for (const { key, found, wanted } of kept) {
    lines.push(`  ${key} stays "${oneLine(found)}", not "${oneLine(wanted)}": --force starts over`);
  }
  lines.push(...describeOwn(result.own));
  if (result.beforeAfter.length > 0 && !isShown) lines.push('', ...describeRows(result.beforeAfter, columns));
  else if (examples.length > 0 && !isShown)
    lines.push('', 'The first messages, as they are read:', ...examples.map((message) => describeMessage(message)));
  lines.push(
    '',
    ...(counts ? describeCounts(counts, isShown) : [result.isLarge ? large : isCounted ? undecided : notCounted]),
    ...(counts ? describeKeeping(counts.notMigrated) : []),
  );
  if (result.unread.length > 0) lines.push('', 'Tables that nothing reads', ...result.unread.map(describeUnread));
  if (invalidRows.length > 0)
    lines.push(
      'The first rows that cannot be read; if they may stay behind, go on: --assume ends with 0',
      ...invalidRows.map(({ place, reason }) => `  ${oneLine(place)}: ${oneLine(reason)}`),
    );
  if (ignored.length > 0) lines.push('', ...describeIgnored(ignored));
  if (result.reading && !isShown) lines.push('', ...readingLines(result.reading), confirmingLine(result.reading));
  if (open.length > 0)
    lines.push('', 'Needs your decision, in the mapping or with one of these each', ...describeDecisions(open));
  if (open.length > 0 && assume)
    lines.push('', '--assume took none of these: an answer may lose, merge or expose something, and has to be yours');
  // A configuration that was found describes the export that it names, and no other.
  const described = flags.length === 0 && kept.some(({ key }) => key === 'export');
  const own = described ? ` --source ${result.source} --mapping ${quoted(oneLine(files[0]!.path))}` : '';
  const planArguments = result.isExportNamed ? flags.map((flag) => ` ${flag}`).join('') : ` ${arguments_}${own}`;
  const proposed = proposedFlags(open);
  const asking = [
    ...(proposed.length > 0 ? [`init ${arguments_} --yes ${proposed.join(' ')}`] : []),
    ...(proposed.length < open.length ? [`init ${arguments_}`] : []),
  ];
  lines.push('', 'Next');
  if (!isTrusted) lines.push(`  ${programName} trust   (check both files first: one of them existed before)`);
  const asksAgain =
    isShown && result.reading ? [`init ${arguments_} --force   (to answer otherwise; the files are copied first)`] : [];
  for (const next of [...asksAgain, ...(open.length === 0 ? [`plan${planArguments}`] : asking)])
    lines.push(`  ${programName} ${next}`);
  return lines.join('\n');
}

const undecided = 'People and conversations are listed once it is decided how to read them';
const large =
  'Not counted: a table has more than 100,000 rows. A plan reads all of them, and lists people and conversations in its report';
const notCounted = 'Not counted: an init without --no-count lists people and conversations';

const describeUnread = ({ key, because }: InitResult['unread'][number]) =>
  `  ${oneLine(key.replace(/^tables\./, ''))}  ${oneLine(because)}`;

function describeFile({ path, how, backup }: FileChange): string {
  const name = oneLine(path);
  if (how === 'same') return `Kept ${name}: nothing is new`;
  if (how === 'changed') return `Added new entries to ${name}; existing entries are unchanged`;
  if (how === 'replaced') return `Replaced ${name}; the old content is in ${oneLine(backup ?? '')}`;
  return how === 'rest' ? `Wrote ${name}: more people and conversations, to copy from` : `Wrote ${name}`;
}

function describeCounts(
  { messages, invalid, unresolvedPeople, conversations }: NonNullable<InitResult['counts']>,
  isShown: boolean,
) {
  const people = countOf(unresolvedPeople, 'person', 'people');
  const unread = invalid > 0 ? `, ${countOf(invalid, 'row')} cannot be read` : '';
  return [
    ...(isShown ? [] : [`${countOf(messages, 'message')} in ${countOf(conversations, 'conversation')}${unread}`]),
    ...(unresolvedPeople > 0
      ? [`${people} not described in any file of the export: set their uids under people.uids in the mapping`]
      : []),
  ];
}

/** Columns of which `init` says how they are kept. */
const keepingMax = 8;

/** Columns that nothing reads, and how each would be kept. */
function describeKeeping(columns: NonNullable<InitResult['counts']>['notMigrated']): string[] {
  if (columns.length === 0) return [];
  const offered = keepableColumns(columns);
  const flagFor = ({ name }: UnreadColumn) =>
    formatFlag(dotted(['source', 'messages', 'custom', customName(name)]), settingText(name));
  const flags = offered.slice(0, keepingMax).map(flagFor);
  const width = widest(flags);
  const lines = flags.map((flag, index) => `  ${padded(flag, width)}  ${countOf(offered[index]!.rows, 'row')}`);
  return [
    describeNotMigrated(columns),
    ...(lines.length > 0 ? ['To keep some of them as custom data, any of', ...lines] : []),
    ...(offered.length > keepingMax ? [`  and ${offered.length - keepingMax} more in the same way`] : []),
  ];
}
