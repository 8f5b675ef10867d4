import type { MessageRecord } from '../../model/records.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { type FileContext, withoutToken } from './files.ts';

/** Who and what a text may name, and whom it named: one object serves all messages of a read. */
export interface TextContext extends FileContext {
  userName(id: string): string | undefined;
  channelName(id: string): string | undefined;
  /** Users mentioned by the message at hand, each once, in order. */
  readonly mentions: string[];
  /** Whether what people typed gets backslashes where Markdown would take it for markup. */
  readonly escapes: boolean;
  /** Notes an address that leads to a message; only those of conversations that the export has are kept. */
  noteLink(link: NonNullable<MessageRecord['links']>[number]): void;
}

/** `@Name`, noted as a mention. The export's own name of the person wins over the label, which may be an old handle. */
export function mentionUser(id: string, label: string | undefined, context: TextContext): string {
  if (!context.mentions.includes(id)) context.mentions.push(id);
  return `@${context.userName(id) ?? (label || unnamed(id, context))}`;
}

/** `#name`. Since about 2022 the label is empty. */
export const nameChannel = (id: string, label: string | undefined, context: TextContext): string =>
  `#${context.channelName(id) ?? (label || unnamed(id, context))}`;

/** `@group`: exports do not list user groups, so only the label can name one. */
export const nameUserGroup = (id: string, label: string | undefined, context: TextContext): string =>
  label ? `@${label.replace(/^@/, '')}` : `@${unnamed(id, context)}`;

function unnamed(id: string, context: TextContext): string {
  context.lose('unnamed');
  return id;
}

/** Undoes Slack's escaping: it knows these three and no others. */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => entities[name]) : text;

const entities = { amp: '&', lt: '<', gt: '>' };

/**
 * Returns the content between `<` and `>` in mrkdwn as Markdown: `@U1|name`, `#C1|name`, `!here`,
 * `https://example.com|label`.
 *
 * @returns undefined if it is none of these: then the brackets are ordinary text.
 */
export function resolveReference(reference: string, context: TextContext): string | undefined {
  const { target, label } = splitReference(reference);
  switch (target[0]) {
    case '@':
      return mentionUser(target.slice(1), label, context);
    case '#':
      return nameChannel(target.slice(1), label, context);
    case '!':
      return resolveCommand(target.slice(1), label, context);
    default:
      return /^[a-z][a-z0-9+.-]*:/i.test(target) ? linkTo(target, label, context) : undefined;
  }
}

/** Does the same inside code, without mentions or links: returns a name, or the words as typed. */
export function referenceInCode(reference: string, context: TextContext): string {
  const { target, label } = splitReference(reference);
  if (target[0] === '@') return `@${context.userName(target.slice(1)) ?? (label || unnamed(target.slice(1), context))}`;
  if (target[0] === '#') return nameChannel(target.slice(1), label, context);
  if (target[0] === '!') return resolveCommand(target.slice(1), label, context);
  return label ?? target;
}

function splitReference(reference: string): { target: string; label: string | undefined } {
  const bar = reference.indexOf('|');
  if (bar < 0) return { target: decodeEntities(reference), label: undefined };
  return { target: decodeEntities(reference.slice(0, bar)), label: decodeEntities(reference.slice(bar + 1)) };
}

/** Who is called at once; `group` stood for `channel` in private ones until about 2017. */
const broadcasts: ReadonlySet<string> = new Set(['here', 'channel', 'everyone', 'group']);

/** `<!here>`, `<!subteam^S1|@group>`, `<!date^1392734382^{date}^https://example.com|February 18, 2014>`. */
function resolveCommand(command: string, label: string | undefined, context: TextContext): string {
  const [kind, argument = '', , link] = command.split('^');
  if (broadcasts.has(command)) return `@${command}`;
  if (kind === 'subteam') return nameUserGroup(argument, label, context);
  if (kind !== 'date') return label || `<!${command}>`;
  const date = label || isoTime(Number(argument)) || argument;
  return link ? linkTo(link, date, context) : date;
}

/** Returns `2014-02-18 14:39 UTC`, or undefined if the seconds are not a valid time. */
export function isoTime(seconds: number): string | undefined {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? undefined : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Addresses inside Slack, which no longer work once it is closed: messages, files, people, canvases. Slack's own help
 * pages are not among them.
 */
const oldAddress =
  /^https?:\/\/[\w.-]{1,200}\.slack\.com\/(?:archives|messages|files|team|docs|canvas|lists|services)\//i;

/** `https://work.slack.com/archives/C061A0WJG/p1433563027000006?thread_ts=1433562823.000002&cid=C061A0WJG` */
const permalink = /\/archives\/([A-Z0-9]{6,20})\/p(\d{9,10})(\d{6})(?:[?#]|$)/;

/** A link as Markdown. One that leads into the old workspace is counted, and noted where it leads to a message that the export may have. */
export function linkTo(address: string, words: string | undefined, context: TextContext): string {
  const url = withoutToken(address, context);
  const label = words === address ? undefined : words;
  if (url.includes('.slack.com/') && oldAddress.test(url)) {
    context.lose('oldLinks');
    const [, conversation, seconds, fraction] = permalink.exec(url) ?? [];
    if (conversation !== undefined) context.noteLink({ url, conversation, id: `${seconds}.${fraction}` });
  }
  return markdownLink(url, context.escapes ? label?.replace(/[*_~`]/g, '\\$&') : label);
}
