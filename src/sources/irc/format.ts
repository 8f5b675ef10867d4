import { htmlToMarkdown } from '../kit/text/html-to-markdown.ts';

/**
 * Lines of IRC logs. Each client, bouncer and bot writes them in its own way, so each has a grammar of its own, as data
 * (`dialects.ts`), and this file reads a line by such a grammar.
 */

/** One grammar: how a program writes the lines of a log. */
export interface Dialect {
  readonly name: string;
  /** A line with a time: each has the groups that `stamps.ts` reads, and `body`. */
  readonly stamps: readonly RegExp[];
  /** Forms of the rest of a line after the time; the first that fits counts. */
  readonly lines: readonly LineForm[];
  /** Lines without a time; the first that fits counts. */
  readonly untimed: readonly UntimedForm[];
  /** The beginning of a file must have it: for programs whose lines others could have written. */
  readonly mark?: RegExp;
  /** The path of a file must have it. */
  readonly path?: RegExp;
  /** Groups `channel`, `network`, `day`: what the beginning of a file says of itself. */
  readonly headers?: readonly RegExp[];
  /** Zone of the times, if the program knows one only. */
  readonly zone?: string;
  /** Texts are HTML. */
  readonly isHtml?: true;
  /** A line without a time goes on with the message before it. */
  readonly continuesNextDay?: true;
}

/** A kind of line, by what is behind the time. Groups of the pattern: `nick` and `text`. */
export interface LineForm {
  readonly kind: 'message' | 'action' | 'notice' | 'event' | 'more';
  readonly pattern: RegExp;
  /** For events: what their text can be. */
  readonly forms?: readonly EventForm[];
  /** For events: any other text is an event too, of the kind `info`. */
  readonly isSure?: true;
  /** For actions: the program writes events in the same way, so it needs a nick that is known from other lines. */
  readonly isUnclear?: true;
}

export interface UntimedForm {
  readonly kind: 'day' | 'nothing' | 'event';
  /** Group `day` or `text`. */
  readonly pattern: RegExp;
  readonly forms?: readonly EventForm[];
}

/** Form of an event, in the words of the program. Groups: `nick` of who did it, `to`, `target`, `modes`. */
export interface EventForm {
  readonly event: string;
  readonly pattern: RegExp;
}

/** A line, taken apart. */
export type LogLine =
  | { readonly kind: 'nothing' }
  /** The line goes on with the message before it. */
  | { readonly kind: 'more'; readonly text: string }
  /** The day of the lines that follow, as the line says it. */
  | { readonly kind: 'day'; readonly text: string }
  | TimedLine;

/** `stamp` is undefined for an event of a program that writes no time in front of events. */
export interface TimedLine {
  readonly said: Said;
  readonly kind: 'said';
  readonly stamp: Stamp | undefined;
}

export interface Said {
  readonly kind: 'message' | 'action' | 'notice' | 'event';
  /** Undefined for what the program or a server says. */
  readonly nick?: string | undefined;
  readonly text: string;
  /** For events: what happened. `info` is anything else that the program wrote. */
  readonly event?: string;
  /** For a change of nick. */
  readonly to?: string | undefined;
  /** An event in words that are not known. */
  readonly isUnnamed?: true;
  /** Other nicks that the event names. */
  readonly others?: readonly string[];
  /** An action that may as well be an event: see `LineForm`. */
  readonly isUnclear?: true;
}

/** The groups of a stamp, as text. */
export type Stamp = Readonly<Record<string, string | undefined>>;

/** Bounded, so that no line can keep an expression busy. */
export const nickPattern = '[^\\s<>()!@:,]{1,64}';
export const modesPattern = '[ @+%&~!]{0,8}';
const host = '[^\\s()\\[\\]<>]{1,320}';

const tokens: Readonly<Record<string, string>> = {
  nick: `(?<nick>${nickPattern})`,
  to: `(?<to>${nickPattern})`,
  target: `(?<target>${nickPattern})`,
  // In the brackets of any program, or left out.
  host: `(?: [(<[]${host}[)>\\]])?`,
  channel: '[#&+!][^\\s,]{0,199}',
  modes: '(?<modes>[+-][A-Za-z+-]{1,64}(?: .*)?)',
  why: '(?: \\(.*\\)| \\[.*\\])?',
  word: '\\S{1,320}',
  any: '.*',
};

/** `event('join', '{nick}{host} has joined {channel}')`: what is in braces are tokens, everything else is itself. */
export function event(name: string, ...templates: readonly string[]): EventForm[] {
  return templates.map((template) => ({ event: name, pattern: new RegExp(`^${patternSource(template)}$`) }));
}

const patternSource = (template: string): string =>
  template
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? tokens[part]! : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');

/** Colours and styles of mIRC: they end up in every log that does not strip them, even before the time. */
const controlCodes = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[\da-f]{6})?|[\x02\x0f\x11\x16\x1d-\x1f]/gi;

/** @returns undefined for what is no line of this dialect. */
export function readLine(dialect: Dialect, raw: string): LogLine | undefined {
  const line = raw.replace(controlCodes, '');
  const untimed = untimedLine(dialect, line);
  if (untimed) return untimed;
  for (const stamp of dialect.stamps) {
    const groups = stamp.exec(line)?.groups;
    if (groups) return timedLine(dialect, groups);
  }
  return dialect.continuesNextDay ? { kind: 'more', text: line } : undefined;
}

function untimedLine(dialect: Dialect, line: string): LogLine | undefined {
  for (const { kind, pattern, forms } of dialect.untimed) {
    const groups = pattern.exec(line)?.groups ?? (pattern.test(line) ? {} : undefined);
    if (!groups) continue;
    if (kind === 'nothing') return { kind };
    if (kind === 'day') return { kind, text: groups.day! };
    const said = eventIn(groups.text!, forms ?? [], true);
    return said && { kind: 'said', said, stamp: undefined };
  }
  return undefined;
}

function timedLine(dialect: Dialect, stamp: Stamp): LogLine | undefined {
  const body = stamp.body!;
  for (const { kind, pattern, forms = [], isSure = false, isUnclear } of dialect.lines) {
    const groups = pattern.exec(body)?.groups;
    if (!groups) continue;
    const { nick } = groups;
    const text = dialect.isHtml ? htmlToMarkdown(groups.text!) : (groups.text ?? '');
    if (kind === 'more') return { kind, text };
    if (kind !== 'event') return { kind: 'said', said: { kind, nick, text, ...(isUnclear && { isUnclear }) }, stamp };
    const said = eventIn(text, forms, isSure);
    if (said) return { kind: 'said', said, stamp };
  }
  return undefined;
}

/** @param isSure Whether it is an event even if no form fits. */
function eventIn(text: string, forms: readonly EventForm[], isSure: boolean): Said | undefined {
  for (const { event: name, pattern } of forms) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { nick, to, target, modes = '' } = found.groups ?? {};
    const others = [...(target === undefined ? [] : [target]), ...modes.split(' ').slice(1)];
    return { kind: 'event', event: name, nick, to, ...(others.length > 0 && { others }), text: withoutHosts(text) };
  }
  return isSure ? { kind: 'event', event: 'info', text: withoutHosts(text), isUnnamed: true } : undefined;
}

/** Behind a nick: `ines [ines@pier4.example.com]`, `ines!ines@pier4.example.com`, and at the beginning `ines (pier4.example.com)`. */
const hostBehindNick =
  / [[(<][^\s@[\]()<>]{0,64}@[^\s[\]()<>]{1,256}[\])>]|![^\s!@]{1,64}@[^\s'")\]]+?(?=[:,.]?(?:[\s'")\]]|$))/g;
const bareHost = /^([^\s()]{1,64}) \([^\s()]{0,256}[.:][^\s()]{1,256}\)/;
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4})$/i;

/** No address of a person's computer leaves the source, also not one in a ban. */
const withoutHosts = (text: string): string =>
  text
    .replace(hostBehindNick, '')
    .replace(bareHost, '$1')
    .replace(/[^\s'"()[\]<>]+/g, (word) => (word.includes('@') || address.test(word) ? '…' : word));
