import type { Entry } from '../../../model/entry.ts';
import type { WrittenLine } from '../../../sources/chatferry-lines.ts';
import type { ConversionCounts } from '../../results.ts';

/** Counts lines on their way into the file. */
export class ConversionCount {
  /** Timeline rows so far. */
  read = 0;
  unread = 0;
  #lines = 0;
  readonly #kinds = { chatferry: 0, user: 0, conversation: 0, relation: 0, message: 0, invalid: 0, problem: 0 };
  readonly #files = { shared: 0, rows: 0, skipped: 0, unknown: 0 };

  /** Counts an entry that was read. */
  meet(entry: Entry): void {
    if (entry.type === 'file') this.#files[entry.role]++;
    else if (entry.type === 'invalid' || (entry.type === 'record' && entry.record.kind === 'message')) this.read++;
  }

  /** Counts a line that is written. @returns The line's text. */
  take({ kind, text }: WrittenLine): string {
    this.#lines++;
    this.#kinds[kind]++;
    return text;
  }

  result(): ConversionCounts {
    const { message, invalid, user, conversation, relation, problem } = this.#kinds;
    return {
      read: this.read,
      messages: message,
      invalid,
      people: user,
      conversations: conversation,
      relations: relation,
      problems: problem,
      unread: this.unread,
      lines: this.#lines,
      files: this.#files,
    };
  }
}
