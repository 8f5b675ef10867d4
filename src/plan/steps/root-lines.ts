import { Latest } from '../../lib/maps/latest.ts';
import { firstLine } from '../../lib/text/shorten.ts';

/** Messages whose first lines are remembered at least: some 15 MB for twice as many. */
const rememberedMin = 25_000;
/** UTF-16 units of a line. */
const lineMax = 120;

/**
 * The first lines of the messages that were read last, for replies that quote their thread's root. A root that was read
 * longer ago, or by an earlier plan, is looked for in the store; while a first plan reads, that cannot be asked.
 */
export class RootLines {
  readonly #lines = new Latest<string, string>(rememberedMin);
  readonly #stagedText: ((muid: string) => string | undefined) | undefined;

  constructor(stagedText: ((muid: string) => string | undefined) | undefined) {
    this.#stagedText = stagedText;
  }

  /** @param payload Of a message that is sent: what is left out is not quoted either. */
  remember(muid: string, payload: string): void {
    const { text = '' } = (JSON.parse(payload) as { data: { text?: string } }).data;
    this.#lines.set(muid, firstLine(text, lineMax));
  }

  /** Returns undefined if the message is not known, or has no text. */
  find(muid: string): string | undefined {
    return (this.#lines.get(muid) ?? this.#fromStore(muid)) || undefined;
  }

  #fromStore(muid: string): string | undefined {
    const text = this.#stagedText?.(muid);
    return text === undefined ? undefined : firstLine(text, lineMax);
  }
}
