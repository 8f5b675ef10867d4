/** A value inside the JSON of a file, and where its text is. */
export interface FoundValue {
  /** 1-based line on which the root value begins. */
  readonly line: number;
  /** Inside that root value: `/messages/3/text`. */
  readonly pointer: string;
  readonly start: number;
  readonly end: number;
  /** Start of the key, for a member of an object. */
  readonly keyStart: number | undefined;
  readonly isLeaf: boolean;
}

/**
 * Every value of a file of JSON: of one document, or of a line each. Text that is no JSON has none, and of a document that
 * breaks off, those before the break are found.
 */
export function valuesIn(text: string): readonly FoundValue[] {
  if (isJson(text)) return valuesOf(text, 0, 1);
  let start = 0;
  const found = text.split('\n').flatMap((line, index) => {
    const values = isJson(line) ? valuesOf(line, start, index + 1) : [];
    start += line.length + 1;
    return values;
  });
  return found.length > 0 ? found : valuesOf(text, 0, 1);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

function valuesOf(text: string, offset: number, line: number): FoundValue[] {
  const reader = new ValueReader(text, offset, line);
  try {
    reader.read('', undefined);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return reader.found;
}

const token = /[\ufeff\s]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^{}[\],:"\s]+))/y;

class ValueReader {
  readonly found: FoundValue[] = [];
  readonly #text: string;
  readonly #offset: number;
  readonly #line: number;
  #at = 0;

  constructor(text: string, offset: number, line: number) {
    this.#text = text;
    this.#offset = offset;
    this.#line = line;
  }

  read(pointer: string, keyStart: number | undefined): void {
    const { mark, start } = this.#next();
    const isLeaf = mark !== '{' && mark !== '[';
    if (mark === '{') this.#members(pointer);
    else if (mark === '[') this.#elements(pointer);
    else if (mark !== '') throw new SyntaxError('No value');
    const [from, end] = [this.#offset + start, this.#offset + this.#at];
    this.found.push({ line: this.#line, pointer, start: from, end, keyStart, isLeaf });
  }

  #members(pointer: string): void {
    if (this.#skips('}')) return;
    do {
      const { start } = this.#next();
      const key = JSON.parse(this.#text.slice(start, this.#at)) as string;
      this.#expect(':');
      this.read(`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, this.#offset + start);
    } while (this.#skips(','));
    this.#expect('}');
  }

  #elements(pointer: string): void {
    if (this.#skips(']')) return;
    let index = 0;
    do this.read(`${pointer}/${index++}`, undefined);
    while (this.#skips(','));
    this.#expect(']');
  }

  /** @returns the bracket, comma or colon that comes next; empty for a text, a number or a word. */
  #next(): { readonly mark: string; readonly start: number } {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (!match) throw new SyntaxError('The text ends');
    this.#at = token.lastIndex;
    const [, mark = '', string, word] = match;
    return { mark, start: this.#at - (mark || string || word)!.length };
  }

  #skips(mark: string): boolean {
    const before = this.#at;
    if (this.#next().mark === mark) return true;
    this.#at = before;
    return false;
  }

  #expect(mark: string): void {
    if (this.#next().mark !== mark) throw new SyntaxError(`Expected ${mark}`);
  }
}
