import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { asCount } from '../kit/narrow.ts';
import type { FieldsBehind } from '../kit/rows/fields-behind.ts';
import type { Layout } from './layout.ts';

/** Beginning of an API answer: `{"count": 50, "messages": [{"rid": "GENERAL", …` */
interface Answer {
  /** The key of its list, and for messages the room of the first one. */
  readonly list: string;
  /** Its text before the list. */
  readonly front: string;
}

const headBytes = 64 * 1024;

/**
 * Answers of the API, which come in pages: `{"messages": […], "count": 50, "offset": 0, "total": 120, "success": true}`. Holds 100 bytes for each.
 */
export class Answers {
  readonly #answers: ReadonlyMap<string, Answer>;
  readonly #pages = new Map<string, number>();

  private constructor(answers: ReadonlyMap<string, Answer>) {
    this.#answers = answers;
    for (const { list } of answers.values()) this.#pages.set(list, (this.#pages.get(list) ?? 0) + 1);
  }

  /** Reads the beginnings of answers. */
  static async of(input: ExportInput, layouts: ReadonlyMap<string, Layout>): Promise<Answers> {
    const answers = new Map<string, Answer>();
    for (const [path, { list, kind }] of layouts) {
      if (list === undefined) continue;
      const head = await headText(input, path, headBytes);
      const room = kind === 'messages' ? /"rid"\s*:\s*"([^"\\]{1,200})"/.exec(head)?.[1] : undefined;
      answers.set(path, {
        list: `${list} ${room ?? ''}`,
        front: head.slice(0, head.indexOf(`"${list}"`)).slice(0, 1000),
      });
    }
    return new Answers(answers);
  }

  /** Reports the rows that an answer marks as missing, unless enough other pages exist to have them. Call it after its rows were read. */
  missingFrom(path: string, behind: FieldsBehind): readonly Entry[] {
    const answer = this.#answers.get(path);
    if (answer === undefined) return [];
    const numberOf = (key: string): number | undefined =>
      asCount(behind.get(key)) ?? asCount(Number(new RegExp(`"${key}"\\s*:\\s*(\\d{1,15})`).exec(answer.front)?.[1]));
    const [count, total, offset = 0] = [numberOf('count'), numberOf('total'), numberOf('offset')];
    if (count === undefined || total === undefined) return [];
    const pageCount = this.#pages.get(answer.list)!;
    const before = pageCount === 1 ? offset : 0;
    const after = pageCount * count < total ? Math.max(0, total - offset - count) : 0;
    if (before + after === 0) return [];
    const reason = `"total" is ${total}, and the answer has ${count} from "offset" ${offset}`;
    return [partialEntry(reason, { path }, before + after)];
  }
}
