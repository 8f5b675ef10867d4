import type { FoundLine } from './format.ts';

/** Lines of one text: no app takes longer ones. */
const linesMax = 500;

/**
 * Texts of several lines, which phones put into quotation marks: lines inside of them begin nothing, whatever they look like. A mark that does
 * not end before another text begins with one, or in so many lines, was typed by a person.
 */
export class QuotedTexts {
  /** A message whose text is open, and the lines below it. */
  #held: FoundLine[] = [];
  #quoteCount = 0;

  /** @param ready Lines that are decided. */
  add(line: FoundLine, ready: FoundLine[]): void {
    if (this.#held.length > 0 && (beginsQuote(line) || this.#held.length >= linesMax)) this.end(ready);
    if (this.#held.length === 0 && !beginsQuote(line)) {
      ready.push(line);
      return;
    }
    this.#held.push(line);
    this.#quoteCount += countQuotes(line.text);
    const isWhole = line.found.kind === 'other' && this.#quoteCount % 2 === 0 && line.text.trimEnd().endsWith('"');
    if (!isWhole) return;
    ready.push(this.#held[0]!, ...this.#held.slice(1).map(asText));
    this.#clear();
  }

  /** The lines that are held are what they look like. */
  end(ready: FoundLine[]): void {
    ready.push(...this.#held);
    this.#clear();
  }

  #clear(): void {
    this.#held = [];
    this.#quoteCount = 0;
  }
}

const countQuotes = (text: string): number => text.split('"').length - 1;

const beginsQuote = ({ found }: FoundLine): boolean =>
  found.kind === 'columns' &&
  found.author !== undefined &&
  found.text.startsWith('"') &&
  countQuotes(found.text) % 2 === 1;

/** A heading inside of a text is nothing to ask about: the marks are the app's. */
function asText(line: FoundLine): FoundLine {
  if (line.found.kind === 'other') return line;
  const isMessage = line.found.kind === 'columns';
  return { ...line, found: { kind: 'other' }, ...(isMessage && { pasted: 'message' as const }) };
}
