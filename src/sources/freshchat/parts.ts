import type { Attachment } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asCount, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { countLost, type Lost } from '../kit/lost.ts';
import { htmlBody, nameIn } from '../kit/text/html-body.ts';
import { bold, markdownLink } from '../kit/text/markdown.ts';
import type { FreshchatFile } from './format.ts';

type Fields = Readonly<Record<string, unknown>>;

const fileKeys = new Set(['image', 'video', 'audio', 'file']);
/** Parts from which a person may choose; the label is all that others see. */
const choiceKeys = new Set(['quick_reply_button', 'callback', 'reference']);

/** Deeper than any message: parts in collections in templates. */
const depthMax = 10;

/** Collects what the parts of a message say. */
export class Parts {
  readonly texts: string[] = [];
  readonly files: Attachment[] = [];
  problem: RowProblem | undefined;
  readonly lost: Lost = {};
  readonly lose = countLost(this.lost).lose;

  /** @param name Of the field that has them, for the reason. */
  addAll(parts: unknown, name: string, depth = 0): void {
    if (depth > depthMax) this.#fail(`Expected at most ${depthMax} levels of parts, found more`);
    else if (!Array.isArray(parts)) this.#fail(`Expected a list in "${name}", found ${describe(parts)}`);
    else for (const part of parts) this.#addPart(part, name, depth);
  }

  #addPart(part: unknown, name: string, depth: number): void {
    const keys = asObject<Fields>(part) as Fields | undefined;
    if (keys === undefined) this.#fail(`Expected a part in "${name}", found ${wordFor(part)}`);
    for (const [key, value] of Object.entries(keys ?? {})) {
      const fields = asObject<Fields>(value) as Fields | undefined;
      if (fields !== undefined) this.#add(key, fields, depth);
      else if (value !== null) this.#fail(`Expected an object in the part "${key}", found ${wordFor(value)}`);
    }
  }

  #add(key: string, fields: Fields, depth: number): void {
    if (key === 'text') this.#addText(fields.content, key);
    else if (key === 'email') this.#addMail(fields);
    else if (fileKeys.has(key)) this.#addFile(fields, key);
    else if (key === 'url_button') this.#addButton(fields);
    else if (choiceKeys.has(key)) this.#addChoice(fields);
    else if (key === 'collection') this.addAll(fields.sub_parts, 'sub_parts', depth + 1);
    else if (key === 'template_content') this.#addSections(fields.sections, depth);
    else this.lose('appData');
  }

  #addText(content: unknown, name: string): void {
    if (typeof content !== 'string') {
      this.#fail(`Expected a text in the part "${name}", found ${wordFor(content)}`);
      return;
    }
    const { text, files } = htmlBody(content, this.lose);
    this.texts.push(text);
    this.files.push(...files);
  }

  #addMail({ subject, content }: Fields): void {
    const words = this.#word(subject, 'subject');
    if (words !== undefined) this.texts.push(bold(words));
    this.#addText(content, 'email');
  }

  #addChoice({ label }: Fields): void {
    this.texts.push(`- ${this.#word(label, 'label') ?? '…'}`);
    this.lose('menus');
  }

  #addButton({ label, url }: Fields): void {
    const words = this.#word(label, 'label');
    const address = this.#word(url, 'url');
    this.texts.push(address === undefined ? (words ?? '…') : markdownLink(address, words));
  }

  #addFile(file: Untrusted<FreshchatFile>, key: string): void {
    const url = this.#word(file.url, `url" of "${key}`);
    const name = this.#word(file.name, `name" of "${key}`);
    this.files.push({
      name: name ?? (url === undefined ? 'file' : nameIn(url)),
      ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
      mimeType: asString(file.content_type),
      kind: key,
      sizeBytes: asCount(file.file_size_in_bytes),
    });
  }

  /** A text that may be missing; anything else in its place is a fault. */
  #word(value: unknown, name: string): string | undefined {
    if (value !== undefined && value !== null && typeof value !== 'string')
      this.#fail(`Expected a text in "${name}", found ${wordFor(value)}`);
    return asString(value);
  }

  #addSections(sections: unknown, depth: number): void {
    if (!Array.isArray(sections)) this.#fail(`Expected a list in "sections", found ${describe(sections)}`);
    else for (const section of sections) this.addAll(asObject<Fields>(section)?.parts, 'parts', depth + 1);
  }

  #fail(reason: string): void {
    this.problem ??= { code: 'freshchat-bad-content', reason };
  }
}
