import type { ExportInput } from '../../io/input/export-input.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { type DateDecision, DateEvidence } from './date-order.ts';
import { type DateOrder, type Head, readHead } from './format.ts';
import { beginsMarked, splitAuthor } from './row-words.ts';
import { findEvent, isOfGroups } from './words.ts';

/** Facts about a whole file, known before its messages are read. */
export interface ChatFacts {
  /** The shape that beginnings of its messages share. */
  readonly shape: string | undefined;
  readonly outline: string | undefined;
  readonly dates: DateDecision;
  /** The order of dates in other shapes, if their lines are messages too. */
  readonly others: ReadonlyMap<string, DateOrder>;
  /** Who wrote, up to three. */
  readonly authors: readonly string[];
  /** Whether people were added, left, or changed the subject. */
  readonly hasGroupEvents: boolean;
  /** On iOS, the name of the chat, if it occurs only before lines of the app. */
  readonly chatName: string | undefined;
  /** Words of an unknown clock that shows hours above 12: they are no half of the day. */
  readonly harmlessWords: ReadonlySet<string>;
  /** Whether most clocks have words next to them that belong to no language. */
  readonly isClockUnknown: boolean;
}

/** Maximum number of shapes that are distinguished: a file has one, and those of pasted text. */
const shapesMax = 20;
/** Messages after which the shape of most is that of all. */
const enough = 200;
/** Authors that are remembered for each shape. */
const authorsMax = 1000;

class ShapeFacts {
  readonly outline: string;
  readonly evidence = new DateEvidence();
  /** Authors of messages that people wrote themselves. */
  readonly authors = new Set<string>();
  readonly unknown = new Set<string>();
  readonly harmless = new Set<string>();
  #first: string | undefined;
  count = 0;
  unknownCount = 0;
  hasGroupEvents = false;

  constructor({ outline }: Head) {
    this.outline = outline;
  }

  add(head: Head): void {
    this.count += 1;
    this.evidence.add(head);
    if (head.unknown !== '') this.#addUnknown(head);
    const { author, text, isDoubtful } = splitAuthor(head.rest, (name) => this.authors.has(name));
    const isMarked = head.isIos && beginsMarked.test(text);
    if (this.count === 1 && isMarked) this.#first = author;
    if (author === undefined || isMarked) this.hasGroupEvents ||= isOfGroups(findEvent(text));
    else if (!isDoubtful && this.authors.size < authorsMax) this.authors.add(author);
  }

  #addUnknown({ unknown, secondOfDay }: Head): void {
    this.unknownCount += 1;
    if (this.unknown.size < shapesMax) this.unknown.add(unknown);
    if (secondOfDay !== undefined && secondOfDay >= 13 * 3600 && this.unknown.has(unknown)) this.harmless.add(unknown);
  }

  /** Returns the name before the first line, which says that the chat is encrypted, if no author has this name. */
  get chatName(): string | undefined {
    return this.#first !== undefined && !this.authors.has(this.#first) ? this.#first : undefined;
  }

  get isClear(): boolean {
    if (this.count < enough || !this.evidence.isClear || this.unknown.size > this.harmless.size) return false;
    return this.authors.size > 2 || this.hasGroupEvents;
  }
}

/**
 * Reads the beginnings of a file's messages, until nothing can change what they say: mostly a few hundred; a chat of two to its end.
 *
 * @param order What the mapping says of dates; undefined: the dates themselves.
 * @param hasOthers Whether lines of other shapes are messages too.
 */
export async function inspectChat(
  input: ExportInput,
  path: string,
  { order, hasOthers }: { readonly order: DateOrder | undefined; readonly hasOthers: boolean },
): Promise<ChatFacts> {
  const shapes = new Map<string, ShapeFacts>();
  for await (const lines of readTextLines(input, path)) {
    for (const { text } of lines) {
      const head = readHead(text);
      if (!head) continue;
      if (!shapes.has(head.shape) && shapes.size < shapesMax) shapes.set(head.shape, new ShapeFacts(head));
      shapes.get(head.shape)?.add(head);
    }
    if (!hasOthers && [...shapes.values()].some((facts) => facts.isClear)) break;
  }
  const [most] = [...shapes].sort(([, a], [, b]) => b.count - a.count);
  const decision = most?.[1].evidence.decide() ?? { order: 'day-first', isAssumed: false };
  return {
    shape: most?.[0],
    outline: most?.[1].outline,
    dates: order === undefined ? decision : { order, isAssumed: false },
    others: new Map(
      hasOthers ? [...shapes].map(([shape, facts]) => [shape, order ?? facts.evidence.decide().order]) : [],
    ),
    authors: [...(most?.[1].authors ?? [])].slice(0, 3),
    hasGroupEvents: most?.[1].hasGroupEvents ?? false,
    chatName: most?.[1].chatName,
    ...judgeClock(most?.[1]),
  };
}

/** Decides whether the clock has unknown words. Unknown words next to only a few clocks belong to a text that begins with a date. */
function judgeClock(facts: ShapeFacts | undefined): Pick<ChatFacts, 'harmlessWords' | 'isClockUnknown'> {
  const isClockUnknown = facts !== undefined && facts.unknownCount * 2 >= facts.count;
  return { isClockUnknown, harmlessWords: isClockUnknown ? facts.harmless : new Set() };
}
