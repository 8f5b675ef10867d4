import type { LostPart } from '../../model/lost-parts.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';

/** Data collected while a row is read. */
export class Row {
  readonly files: Attachment[] = [];
  readonly mentions: string[] = [];
  /** Paragraphs behind the text. */
  readonly behind: string[] = [];
  readonly custom: NonNullable<MessageRecord['custom']> = {};
  quoteOf: string | undefined;
  /** The first thing of it that could not be read. */
  problem: RowProblem | undefined;
  lost: Partial<Record<LostPart, number>> | undefined;

  lose(part: LostPart, count = 1): void {
    this.lost ??= {};
    this.lost[part] = (this.lost[part] ?? 0) + count;
  }

  mention(id: string): void {
    if (!this.mentions.includes(id)) this.mentions.push(id);
  }
}
