import { countOf } from '../lib/text/count.ts';
import { quoted } from '../lib/text/shell-word.ts';
import type { Effect } from '../model/option.ts';
import type { ValueTable } from './value-table.ts';

/** A question about an export to its owner. Terminal, report, desk and library draw this object, and nothing else asks. */
export interface Decision {
  /** Permanent: `source.messages.author` for a key, the code for a finding, `reading` for the confirmation of a reading. */
  readonly id: string;
  /** A sentence for a person who knows the data: `Who wrote a message?` Never a key. */
  readonly question: string;
  /** A sentence of evidence with numbers. */
  readonly why: string;
  readonly about: About;
  /** Places with their details, at most 12. Rows next to the messages that they become are made on demand: `rows/`. */
  readonly examples: readonly string[];
  /** The best first. Those whose effect is `outside` are shown apart, and taking one decides nothing. */
  readonly options: readonly DecisionOption[];
  /** Another value that may be given, by its type; absent if only the options count. */
  readonly input?: DecisionInput | undefined;
  readonly ifUndecided: { readonly stops: true } | { readonly sends: string } | { readonly keepsBack: string };
  /** Most want what happens without it: it is not among those that need a decision. */
  readonly isOptional?: true | undefined;
  /** Null while it is open. */
  readonly answer: Answer | null;
}

/** How much a decision is about. `isExact: false` is shown as "about". Null if nobody knows it yet. */
export interface About {
  readonly count: number | null;
  readonly of: 'messages' | 'rows' | 'people' | 'conversations' | 'files' | 'findings';
  readonly isExact: boolean;
  /** Whether nothing that is planned hangs on it. */
  readonly isIdle?: true | undefined;
}

export interface DecisionOption {
  /** A verb first, with the count. */
  readonly does: string;
  readonly effect: Effect;
  readonly because: string;
  readonly isProposed: boolean;
  /** It may throw together what belongs apart: last, and never proposed. */
  readonly isLastResort: boolean;
}

/** A value of the owner's own: `key` is what it sets. */
export interface DecisionInput {
  readonly type: 'column' | 'values' | 'zone' | 'table' | 'person' | 'text';
  readonly key: string;
  readonly label: string;
  /** Columns or tables that it may name, with what each holds and how many rows have it. */
  readonly choices?: readonly { readonly name: string; readonly holds: string; readonly fits: string }[];
  readonly table?: ValueTable;
}

export interface Answer {
  /** Index of the option; null for a value of the owner's own. */
  readonly option: number | null;
  /** As `--set` takes it, or words. */
  readonly value: string;
  /** Null if no log says it. */
  readonly by: string | null;
  readonly atMs: number | null;
  /** False if the mapping says otherwise since: then it is open again. */
  readonly holds: boolean;
}

/** Whether somebody has to decide it still. */
export const isOpen = ({ answer, isOptional }: Decision): boolean => isOptional !== true && answer?.holds !== true;

/** Whether it is about all rows, and no code of a finding. */
export const isAlarm = ({ id }: Pick<Decision, 'id'>): boolean => id.startsWith('alarm-');

export const alarmName = ({ id }: Pick<Decision, 'id'>): string => id.replace('alarm-', '');

const singular = {
  messages: 'message',
  rows: 'row',
  people: 'person',
  conversations: 'conversation',
  files: 'file',
  findings: 'finding',
};

/** `149 messages`, `about 149 messages`, `these messages` if nobody knows how many. */
export const formatAbout = ({ count, of, isExact }: About): string =>
  count === null ? `these ${of}` : `${isExact ? '' : 'about '}${countOf(count, singular[of], of)}`;

/** The same, and whether anything hangs on it. */
export const formatWeight = (about: About): string =>
  `${formatAbout(about)}${about.isIdle ? '; nothing planned hangs on it' : ''}`;

/** The result if it is not decided, to follow "If you do nothing: ". */
export function describeUndecided({ ifUndecided }: Pick<Decision, 'ifUndecided'>): string {
  if ('stops' in ifUndecided) return 'nothing is sent before it is decided';
  return 'sends' in ifUndecided ? ifUndecided.sends : ifUndecided.keepsBack;
}

export const describeOption = ({ does, because }: DecisionOption): string =>
  because === '' ? does : `${does}: ${because}`;

/** The digest that the option of a decision `reading` confirms; undefined for any other decision. */
export function confirmedDigest({ options }: Pick<Decision, 'options'>): string | undefined {
  const [, digest] =
    options.flatMap(({ effect }) => ('runs' in effect ? [effect.runs.split(' --confirm-reading ')] : []))[0] ?? [];
  return digest;
}

/** Options that decide, and in words what can only be done elsewhere. */
export function splitOptions({ options }: Pick<Decision, 'options'>): {
  readonly own: readonly DecisionOption[];
  readonly outside: readonly string[];
} {
  const { own = [], outside = [] } = Object.groupBy(options, ({ effect }) => ('outside' in effect ? 'outside' : 'own'));
  return { own, outside: outside.map(describeOption) };
}

/** An option as a command line without the name of the program. */
export function describeEffect(effect: Effect): string {
  if ('runs' in effect) return effect.runs;
  if ('outside' in effect) return '';
  const sets = 'sets' in effect ? Object.entries(effect.sets) : [[effect.asks, effect.example] as const];
  return ['init EXPORT', ...sets.map(([key, value]) => `--set ${quoted(`${key}=${value}`)}`)].join(' ');
}
