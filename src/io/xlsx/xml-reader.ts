import { XmlElements, type XmlHandler } from '../xml-elements.ts';

/** A part of a workbook is not what it should be. Code that knows the name of the workbook makes a SourceError of it. */
export class WorkbookFault extends Error {
  override readonly name = 'WorkbookFault';
}

/** Names of elements come without their prefix; those of attributes keep theirs. */
export type PartHandler = Omit<XmlHandler, 'damage'>;

const depthMax = 100;

/**
 * Passes a part of a workbook to a handler. Yields after each chunk, so that the caller takes what the handler has found.
 *
 * Memory: two chunks and one text.
 *
 * @throws WorkbookFault if the part is no UTF-8, ends inside an element, or has a text above a million characters.
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handler: PartHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const whole = new WholeElements(handler);
  const elements = new XmlElements(whole);
  for await (const chunk of chunks) {
    elements.push(decodeText(() => decoder.decode(chunk, { stream: true })));
    yield;
  }
  elements.push(decodeText(() => decoder.decode()));
  elements.end();
  whole.end();
  yield;
}

/** The same for a part of which the handler keeps what it needs. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array>, handler: PartHandler): Promise<void> {
  for await (const _ of readXml(chunks, handler));
}

function decodeText(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new WorkbookFault('its XML is not UTF-8', { cause });
  }
}

/** Holds that elements end as they begin, and that nothing of them was lost. */
class WholeElements implements XmlHandler {
  readonly #handler: PartHandler;
  readonly #open: string[] = [];
  #isBegun = false;

  constructor(handler: PartHandler) {
    this.#handler = handler;
  }

  open(name: string, attributes: ReadonlyMap<string, string>, line: number): void {
    if (this.#open.length >= depthMax) throw new WorkbookFault('its XML is nested too deeply');
    const local = localName(name);
    this.#open.push(local);
    this.#isBegun = true;
    this.#handler.open(local, attributes, line);
  }

  text(text: string): void {
    this.#handler.text(text);
  }

  close(name: string): void {
    const local = localName(name);
    if (this.#open.pop() !== local) throw new WorkbookFault('its XML has a wrong end of an element');
    this.#handler.close(local);
  }

  damage(part: Parameters<XmlHandler['damage']>[0]): void {
    if (part !== 'attributes') throw new WorkbookFault('its XML has a text that is too long');
  }

  end(): void {
    if (!this.#isBegun || this.#open.length > 0) throw new WorkbookFault('its XML ends in the middle');
  }
}

const localName = (name: string): string => name.trim().replace(/^.*:/, '');
