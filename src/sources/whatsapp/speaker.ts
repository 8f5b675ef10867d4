import { plain } from './format.ts';
import { findEvent, tellsAction, tellsEvent } from './words.ts';

/**
 * Speaker of a line: the app or a person. On Android, a line with a name and a colon is a person's, whatever marks are
 * in it. On iOS, the app's lines have a name as well, followed by a mark of direction; but a person's may have them,
 * too. An uncertain line counts as the person's, and the user is asked.
 */
export type Speaker = 'person' | 'app' | 'either';

const phone = /^\+?\d[\d\s().-]{5,}\d(?=\s\p{L})/u;

/**
 * Returns who speaks in a line. `name` is the text before the first colon, and may be words of the app: `+44 7700
 * 900123 added you to a group in the community: Port`.
 *
 * @param known Whether the chat has an author of this name.
 */
export function speakerOfName(name: string, known: (name: string) => boolean): Speaker {
  if (!name.includes(' ') || known(name)) return 'person';
  if (tellsAction(name)) return 'app';
  const words = name.split(' ');
  const isPhone = phone.test(name);
  const beginning = isPhone ? name.match(phone)![0].split(' ').length : knownBeginning(words, known);
  const behind = beginning === 0 ? 0 : words.length - beginning;
  if (findEvent(name) !== 'info')
    return behind > 0 && (isPhone || behind > 1) ? 'app' : words.length > 2 ? 'either' : 'person';
  return behind > (isPhone ? 1 : 3) ? 'either' : 'person';
}

/** Words of the longest known name with which the words begin. */
function knownBeginning(words: readonly string[], known: (name: string) => boolean): number {
  for (let count = Math.min(words.length - 1, 6); count > 0; count -= 1)
    if (known(words.slice(0, count).join(' '))) return count;
  return 0;
}

/** Facts about the author of a line on iOS. */
export interface IosAuthor {
  readonly name: string;
  /** The name is that of the chat, in which lines of the app have it. */
  readonly isChat: boolean;
  readonly known: (name: string) => boolean;
}

/** Who speaks in a line on iOS that begins with a mark of direction. */
export function speakerOnIos(text: string, { name, isChat, known }: IosAuthor): Speaker {
  if (hasAddress.test(text)) return 'either';
  const line = plain(text);
  if (isChat || tellsEvent(line) || names(line, name)) return 'app';
  const isBegun = phone.test(line) || line.startsWith('~') || knownBeginning(line.split(' '), known) > 0;
  return isBegun && findEvent(line) !== 'info' ? 'app' : 'either';
}

const hasAddress = /https?:\/\/|www\./i;

/** Returns whether the line about the author contains the author's name. */
function names(line: string, author: string): boolean {
  const name = author.replace(/^~\s?/, '');
  const at = name === '' ? -1 : line.indexOf(name);
  if (at === -1 || unspaced.test(name)) return at !== -1;
  return !/\p{L}$/u.test(line.slice(0, at)) && !/^\p{L}/u.test(line.slice(at + name.length));
}

const unspaced = /[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af]/;
