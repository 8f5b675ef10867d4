import type { ExportInput } from '../../io/input/export-input.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { type DateDecision, DateEvidence } from './date-order.ts';
import { type DateOrder, type Head, readHead } from './format.ts';
import { splitAuthor } from './row-words.ts';
import { appMark, eventOf, isOfGroups } from './words.ts';

/** What a file as a whole says, before its messages are read. */
export interface Look {
  /** What beginnings of its messages have in common. */
  readonly shape: string | undefined;
  readonly outline: string | undefined;
  readonly dates: DateDecision;
  /** Who wrote, up to three. */
  readonly authors: readonly string[];
  /** Somebody was added, left, or changed the subject. */
  readonly hasGroupEvents: boolean;
}

/** Shapes that are told apart: a file has one, and what people pasted. */
const shapesMax = 20;
/** Messages after which the shape of most is that of all. */
const enough = 200;

class ShapeLook {
  readonly outline: string;
  readonly evidence = new DateEvidence();
  readonly authors = new Set<string>();
  count = 0;
  hasGroupEvents = false;

  constructor({ outline }: Head) {
    this.outline = outline;
  }

  add(head: Head): void {
    this.count += 1;
    this.evidence.add(head);
    const { author, text } = splitAuthor(head.rest);
    const isApp = author === undefined || text.startsWith(appMark);
    if (isApp) this.hasGroupEvents ||= isOfGroups(eventOf(text));
    else if (this.authors.size < 3) this.authors.add(author);
  }

  get isClear(): boolean {
    return this.count >= enough && this.evidence.isClear && (this.authors.size > 2 || this.hasGroupEvents);
  }
}

/**
 * Reads the beginnings of a file's messages, until nothing can change what they say: mostly a few hundred; a chat of two to its end.
 *
 * @param order What the mapping says of dates; undefined: the dates themselves.
 */
export async function lookAt(input: ExportInput, path: string, order: DateOrder | undefined): Promise<Look> {
  const shapes = new Map<string, ShapeLook>();
  for await (const lines of readTextLines(input, path)) {
    for (const { text } of lines) {
      const head = readHead(text);
      if (!head) continue;
      if (!shapes.has(head.shape) && shapes.size < shapesMax) shapes.set(head.shape, new ShapeLook(head));
      shapes.get(head.shape)?.add(head);
    }
    if ([...shapes.values()].some((look) => look.isClear)) break;
  }
  const [most] = [...shapes].sort(([, a], [, b]) => b.count - a.count);
  const decision = most?.[1].evidence.decide() ?? { order: 'day-first', isAssumed: false };
  return {
    shape: most?.[0],
    outline: most?.[1].outline,
    dates: order === undefined ? decision : { order, isAssumed: false },
    authors: [...(most?.[1].authors ?? [])],
    hasGroupEvents: most?.[1].hasGroupEvents ?? false,
  };
}
