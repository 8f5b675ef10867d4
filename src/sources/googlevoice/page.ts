import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import {
  elementsIn,
  firstOfClass,
  type FoundElement,
  hasClass,
  type HtmlElement,
  readHtmlElements,
  wordsIn,
} from '../kit/text/html-elements.ts';
import { isPart, isTel, labelsIn, numberIn } from './format.ts';

/** A person as a page shows one. */
export interface Shown {
  /** Empty if it is missing. */
  readonly number: string;
  readonly name: string;
  /** Whether the page calls the person "Me". */
  readonly isOwner: boolean;
}

/** Facts about a page as a whole. */
export interface Page {
  /** Messages and calls, unless there are too many to hold. */
  readonly held: readonly FoundElement[] | undefined;
  /** Others in a group, then authors. Memory: some 200 bytes for each. */
  readonly people: readonly Shown[];
  readonly isGroup: boolean;
  /** With `spam` for a page in the folder `Spam`. */
  readonly labels: readonly string[];
  readonly isDeleted: boolean;
  /** Whether the page is closed at its end. */
  readonly isWhole: boolean;
}

/** Messages that are held until the end of the page says what it is, and bytes of the page up to which they are. */
const heldMax = 2000;
const heldBytesMax = 8 * 2 ** 20;
const endBytes = 1024;
/** People on a page: far more than a group can have. */
const peopleMax = 1000;

const tooMany = (path: string): SourceError =>
  new SourceError(`Cannot read the page: it has more than ${peopleMax} people`, { location: { path } });

export function shownIn(tel: HtmlElement | undefined): Shown {
  const shown = tel && firstOfClass(tel, 'fn');
  return { number: numberIn(tel), name: wordsIn(shown), isOwner: shown?.name === 'abbr' };
}

/** Goes through a page once. */
export async function surveyPage(input: ExportInput, path: string): Promise<Page> {
  const people = new Map<string, Shown>();
  let held: FoundElement[] | undefined = [];
  let labels: readonly string[] = [];
  let [isGroup, isDeleted, end, bytes] = [false, false, '', 0];
  const chunks = async function* () {
    for await (const chunk of input.open(path)) {
      end = (end + Buffer.from(chunk.subarray(-endBytes)).toString('latin1')).slice(-endBytes);
      bytes += chunk.length;
      yield chunk;
    }
  };
  for await (const list of readHtmlElements(chunks(), isPart))
    for (const found of list) {
      const { element } = found;
      if (isContent(element)) {
        if (held && held.length < heldMax && bytes <= heldBytesMax) held.push(found);
        else held = undefined;
      } else if (hasClass(element, 'participants')) isGroup = true;
      // A call has its labels inside, a conversation behind its messages.
      if (!hasClass(element, 'message')) {
        const tags = ofClass(element, 'tags');
        if (tags.length > 0) labels = labelsIn(tags.flatMap((tag) => elementsIn(tag, ({ name }) => name === 'a')));
        isDeleted ||= ofClass(element, 'deletedStatusContainer').some((inner) => /\btrue$/i.test(wordsIn(inner)));
      }
      for (const tel of elementsIn(element, isTel)) {
        const shown = shownIn(tel);
        const key = `${shown.isOwner} ${shown.number || `: ${shown.name}`}`;
        const known = people.get(key);
        if (!known || known.name === '') people.set(key, shown);
        if (people.size > peopleMax) throw tooMany(path);
      }
    }
  if (/(?:^|\/)Spam\/[^/]+$/.test(path)) labels = [...labels, 'spam'];
  return { held, people: [...people.values()], isGroup, labels, isDeleted, isWhole: end.includes('</html>') };
}

/** An element itself, or those inside of it, of a class. */
const ofClass = (element: HtmlElement, name: string): readonly HtmlElement[] =>
  hasClass(element, name) ? [element] : elementsIn(element, (inner) => hasClass(inner, name));

const isContent = (element: HtmlElement): boolean => hasClass(element, 'message') || hasClass(element, 'haudio');

/** The messages and calls of a page, in lists. */
export async function* readContent(
  input: ExportInput,
  path: string,
  { held }: Page,
): AsyncGenerator<readonly FoundElement[]> {
  if (held) yield held;
  else
    for await (const list of readHtmlElements(input.open(path), isPart))
      yield list.filter(({ element }) => isContent(element));
}
