import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { asArray, asObject, asString } from '../kit/narrow.ts';
import { channelOf, comparable, decodedName, type PubnubMessage, tokenOf } from './format.ts';

/** An answer that is larger is not looked at: it may have any message. */
const answerBytesMax = 2 ** 20;

/** The oldest message of each channel, and whether a file may have others. */
interface Oldest {
  readonly tokens: Map<string, string>;
  isUnsure: boolean;
}

/**
 * Answers say where the next one begins: `"more": {"url": "…", "start": "17724429000000001", "max": 25}`. It has messages of the channel
 * that are older. If no file has one, they were not saved.
 *
 * Reads up to 1 MiB of each file, if an answer says that there is more. In memory: a timetoken for each channel.
 */
export class OlderMessages {
  readonly #input: ExportInput;
  readonly #paths: readonly string[];
  #oldest: Promise<Oldest> | undefined;

  /** @param paths Files of messages. */
  constructor(input: ExportInput, paths: readonly string[]) {
    this.#input = input;
    this.#paths = paths;
  }

  /** @param channels Those of the answer. */
  async missingBefore(more: unknown, channels: Iterable<string>, path: string): Promise<readonly Entry[]> {
    const start = tokenOf(asObject<{ start: unknown }>(more)?.start);
    if (start === undefined) return [];
    this.#oldest ??= this.#readAll();
    const { tokens, isUnsure } = await this.#oldest;
    if (isUnsure) return [];
    const missing = [...channels].filter((channel) => comparable(tokens.get(channel) ?? start) >= comparable(start));
    return missing.map((channel) => {
      const of = JSON.stringify(channel.slice(0, 60));
      return partialEntry(`"more" begins at ${start}, and no file has older messages of ${of}`, { path });
    });
  }

  async #readAll(): Promise<Oldest> {
    const found: Oldest = { tokens: new Map(), isUnsure: false };
    for (const path of this.#paths) {
      const bytes = await headOrNothing(this.#input, path, answerBytesMax);
      try {
        addAnswer(JSON.parse(withTokens(Buffer.from(bytes).toString('utf8'))), found.tokens);
      } catch {
        found.isUnsure = true;
      }
    }
    return found;
  }
}

/** Numbers of more digits than a number holds, as text. */
const withTokens = (text: string): string => text.replace(/:\s{0,20}(\d{16,19})(?=[,}\s])/g, ':"$1"');

function addAnswer(answer: unknown, tokens: Map<string, string>): void {
  for (const row of asArray(answer)) addRow(row, undefined, tokens);
  const { channels } = asObject<{ channels: unknown }>(answer) ?? {};
  for (const [name, rows] of Object.entries(asObject(channels) ?? {}))
    for (const row of asArray(rows)) addRow(row, name, tokens);
}

function addRow(value: unknown, name: string | undefined, tokens: Map<string, string>): void {
  const row = asObject<PubnubMessage>(value) ?? {};
  const token = tokenOf(row.timetoken);
  const encoded = asString(channelOf(row)) ?? name;
  if (token === undefined || encoded === undefined) return;
  const channel = decodedName(encoded);
  const oldest = tokens.get(channel);
  if (oldest === undefined || comparable(token) < comparable(oldest)) tokens.set(channel, token);
}
