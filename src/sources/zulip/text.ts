import { emojiWithTone, isCustomEmojiName } from '../kit/text/emoji.ts';
import { htmlToMarkdown } from '../kit/text/html-to-markdown.ts';
import { bold, italic, markdownLink } from '../kit/text/markdown.ts';
import { outsideCode } from '../kit/text/outside-code.ts';
import { pollText } from '../kit/text/poll-text.ts';
import type { Lose } from '../kit/lost.ts';
import { withBlocks } from './blocks.ts';
import { emojiOfCode } from './format.ts';

/** Whom and what a text may name, and what is noticed in it. */
export interface TextContext {
  /** Whose name a mention says, where it has no id. */
  idOfName(name: string): string | undefined;
  nameOf(id: string): string | undefined;
  noteMention(id: string): void;
  /** An address of the server's pages. @param isQuoted Where it says whom a quotation is by. */
  noteLink(url: string, isQuoted: boolean): void;
  /** A file, by its place behind `/user_uploads/`. @returns the name to show. */
  attach(path: string, label: string): string;
  /** HTML that the server made of the text: it shows which emoji a name means. */
  readonly rendered: string | undefined;
  readonly lose: Lose;
}

/** Addresses; mentions of people and groups; streams and topics; links; emoji; times. */
const references =
  /(!?)\[((?:[^[\]\n]|\[[^[\]\n]{0,100}\]){0,300})\]\(([^()\s]{1,2000})\)|https?:\/\/[^\s<>()|]+|@(_?)\*\*([^*\n]{1,200})\*\*|@_?\*([^*\n]{1,200})\*|#\*\*([^*\n]{1,200})\*\*|:([A-Za-z0-9_+-]{1,100}):|<time:([^<>\n]{1,60})>/g;

/** Emoji alone: most texts have nothing else, and it is found in a fraction of the time. */
const emojiAlone = /:([A-Za-z0-9_+-]{1,100}):/g;

const everybody: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel', 'topic']);
const isMarked = /[@#:[<~`]|^\//;

/** Markdown of Zulip as that of the model, with people, streams and emoji by the names that are shown. Code stays as it is. */
export function zulipText(text: string, context: TextContext): string {
  if (!isMarked.test(text)) return text;
  const command = /^\/(?:me|poll|todo)(?=\s|$)/.exec(text)?.[0];
  if (command === '/poll' || command === '/todo') return describeWidget(command, text, context);
  const own = command === undefined ? text : text.slice(4);
  const read = new Reader(context);
  const shown = withBlocks(
    own,
    (piece) => outsideCode(piece, (words) => read.inline(words)),
    () => context.lose('styles'),
  );
  const tidy = read.hasLeftOut ? shown.replace(/\n{3,}/g, '\n\n').trim() : shown;
  return command === undefined ? tidy : italic(tidy);
}

/** Returns the text of a message of which only HTML is left. */
export function textOfHtml(html: string, context: TextContext): string {
  const markdown = htmlToMarkdown(
    html,
    (_name, attributes) => {
      const id = attributes.get('data-user-id');
      if (id !== undefined && context.nameOf(id) !== undefined) context.noteMention(id);
      const path = uploadIn(attributes.get('href') ?? '');
      if (path !== undefined) context.attach(path, '');
      return undefined;
    },
    context.lose,
  );
  const read = new Reader(context);
  return outsideCode(markdown, (words) => read.inline(words));
}

/** Polls and lists of things to do are made of what follows the command, each line without its mark of a list; votes and ticks are in no export. */
function describeWidget(command: string, text: string, context: TextContext): string {
  context.lose('appData');
  const [first = '', ...lines] = text.slice(5).trim().split('\n');
  const read = new Reader(context);
  const options = lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: read.inline(line.trim().replace(/^[-*]\s*/, '')), votes: undefined }));
  const question = read.inline(first) || undefined;
  if (command === '/poll') return pollText({ question, options });
  return [bold(question ?? 'To do'), ...options.map((option) => `- ${option.text}`)].join('\n');
}

/** Returns the path of a file from its address on the server. */
const uploadIn = (url: string): string | undefined =>
  /^(?:https?:\/\/[^/\s]{1,300})?\/?user_uploads\/(\d{1,20}\/[^\s?#]{1,1000})/.exec(url)?.[1];

const narrow = /^(?:https?:\/\/[^/\s]{1,300})?\/?#narrow\//;

class Reader {
  /** A file that stood alone on its line is no part of the text. */
  hasLeftOut = false;
  readonly #context: TextContext;

  constructor(context: TextContext) {
    this.#context = context;
  }

  inline(text: string): string {
    if (!/[@#[<]|:\/\//.test(text))
      return text.includes(':') ? text.replace(emojiAlone, (all, name: string) => this.#emojiOf(name) ?? all) : text;
    return text.replace(references, (all: string, ...found: unknown[]) => {
      const [, label, url, silent, person, group, stream, emoji, time] = found as (string | undefined)[];
      if (person !== undefined) return this.#mention(person, silent === '_') ?? all;
      if (emoji !== undefined) return this.#emojiOf(emoji) ?? all;
      if (group !== undefined) return `@${group}`;
      if (stream !== undefined) return this.#stream(stream);
      if (time !== undefined) return time;
      const at = found[found.length - 2] as number;
      return this.#address(all, url ?? all, label, { text, at }) ?? all;
    });
  }

  #mention(said: string, isSilent: boolean): string | undefined {
    const context = this.#context;
    const { idOfName, nameOf } = context;
    const bar = said.lastIndexOf('|');
    const isNumbered = bar !== -1 && /^\d{1,20}$/.test(said.slice(bar + 1));
    const name = isNumbered ? said.slice(0, bar) : said;
    if (!isNumbered && everybody.has(name)) return isSilent ? name : `@${name}`;
    const id = isNumbered ? said.slice(bar + 1) : idOfName(name);
    const shown = (id === undefined ? undefined : nameOf(id)) ?? name;
    if (shown === '') context.lose('unnamed');
    else if (id !== undefined && !isSilent && nameOf(id) !== undefined) context.noteMention(id);
    return `${isSilent ? '' : '@'}${shown || id}`;
  }

  /** `harbour>tides@123`: a stream, a topic of it, a message of that. */
  #stream(said: string): string {
    const [, stream = said, topic, message] = /^([^>]{1,100})>(.*?)(?:@(\d{1,20}))?$/.exec(said) ?? [];
    if (message !== undefined) this.#context.lose('oldLinks');
    return topic === undefined ? `#${stream}` : `#${stream} > ${topic}`;
  }

  #emojiOf(name: string): string | undefined {
    const shown = emojiIn(this.#context.rendered, name) ?? emojiWithTone(name.toLowerCase());
    if (shown === undefined && isCustomEmojiName(name)) this.#context.lose('emojiInText');
    return shown;
  }

  #address(
    all: string,
    url: string,
    label: string | undefined,
    place: { text: string; at: number },
  ): string | undefined {
    const path = uploadIn(url);
    if (path !== undefined) {
      const name = this.#context.attach(path, label ?? '');
      const { text, at } = place;
      const isAlone =
        (at === 0 || text[at - 1] === '\n') &&
        /^[ \t]{0,20}(?:\n|$)/.test(text.slice(at + all.length, at + all.length + 21));
      this.hasLeftOut ||= isAlone;
      return isAlone ? '' : name;
    }
    if (narrow.test(url)) this.#context.noteLink(url, label === 'said');
    if (label === undefined) return undefined;
    const inside = label.replace(emojiAlone, (word, name: string) => this.#emojiOf(name) ?? word);
    return markdownLink(url, inside);
  }
}

/** Which emoji a text means by a name: the server has written it around the name. */
function emojiIn(rendered: string | undefined, name: string): string | undefined {
  const end = rendered?.indexOf(`>:${name}:<`) ?? -1;
  if (rendered === undefined || end === -1) return undefined;
  const tag = rendered.slice(rendered.lastIndexOf('<', end), end);
  const code = /class="emoji emoji-([\da-f-]{2,80})"/.exec(tag.slice(0, 500))?.[1];
  return code === undefined ? undefined : emojiOfCode(code);
}
