import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Part, Parts } from '../../model/part.ts';
import { checkOutput, writeOutput, type Written } from '../output.ts';
import {
  type Conversion,
  type ConvertedLine,
  converting,
  headerOf,
  linesOf,
  pieceCharacters,
  type ReadingOptions,
  type Work,
} from './convert.ts';

export interface ConvertPartsOptions extends ReadingOptions {
  /** How many parts there are, and which conversations were placed by hand. What the mapping merges goes together. */
  readonly parts: Omit<Part, 'index'>;
  /** Folder of the files; made where it is missing. */
  readonly folder: string;
  readonly mayReplace: boolean;
}

/** One of the files. */
export interface PartFile extends Pick<Written, 'bytes' | 'wasThere'> {
  readonly path: string;
}

/** Bytes are those of all files; `lines` too: people stand in each. */
export interface PartsConversion extends Omit<Conversion, 'isComplete'> {
  readonly partFiles: readonly PartFile[];
}

/**
 * Writes an export as records of our own into one file for each part, reading it once: a plan of a file, also one that says which part
 * it is of, is the plan of that part. Takes some 200 KB of memory and a file handle for each.
 *
 * @throws SourceError, UsageError, StoreError (the disk is full). No file is left that is not whole.
 */
export async function convertParts(options: ConvertPartsOptions): Promise<PartsConversion> {
  const { parts, folder, mayReplace } = options;
  mkdirSync(folder, { recursive: true });
  const targets = Array.from({ length: parts.of }, (_, index) => ({
    path: join(folder, `part-${index + 1}-of-${parts.of}.ndjson`),
    mayReplace,
  }));
  return await converting(options, {
    check(inputs) {
      for (const target of targets) checkOutput(target, inputs);
    },
    async write(work) {
      const files = targets.map((target) => new GrowingPart(target));
      try {
        const dealt = new Parts(parts, options.mapping.rules.conversations.merge);
        await writeParts(work, files, dealt);
        const written = await Promise.all(files.map((file) => file.end()));
        return {
          partFiles: written.map(({ bytes, wasThere }, index) => ({ path: targets[index]!.path, bytes, wasThere })),
          bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
          wasThere: written.every(({ wasThere }) => wasThere),
        };
      } catch (error) {
        await Promise.all(files.map((file) => file.abandon(error as Error)));
        throw error;
      }
    },
  });
}

async function writeParts(work: Work, files: readonly GrowingPart[], parts: Parts): Promise<void> {
  const { count } = work;
  const header = count.take(headerOf(work));
  for (const [index, file] of files.entries()) {
    file.add(header);
    if (index > 0) count.repeat();
  }
  for await (const lines of linesOf(work)) {
    for (const line of lines) {
      if (line.entry.type === 'record' && line.entry.record.kind === 'user') {
        for (const [index, file] of files.entries()) {
          file.add(line.text);
          if (index > 0) count.repeat();
        }
      } else files[partOf(line.entry, parts)]!.add(line.text);
    }
    for (const file of files) if (file.isFull) await file.flush();
  }
}

/** What belongs to no conversation goes into the first. */
function partOf(entry: ConvertedLine['entry'], parts: Parts): number {
  if (entry.type === 'problem') return 0;
  if (entry.type === 'reject') return entry.conversation === undefined ? 0 : parts.of(entry.conversation);
  const { record } = entry;
  if (record.kind === 'message') return parts.of(record.origin.conversation);
  return record.kind === 'conversation' ? parts.of(record.id) : 0;
}

/** A file that is written while others are. */
class GrowingPart {
  readonly #stream = new PassThrough({ encoding: 'utf8' });
  readonly #written: Promise<Written>;
  #piece = '';

  constructor(target: { readonly path: string; readonly mayReplace: boolean }) {
    this.#written = writeOutput(target, this.#stream);
    // Whoever adds to it is told.
    this.#written.catch((error: Error) => this.#stream.destroy(error));
    this.#stream.on('error', () => {});
  }

  get isFull(): boolean {
    return this.#piece.length >= pieceCharacters;
  }

  add(text: string): void {
    this.#piece += text;
  }

  /** Hands on what has gathered, and waits where the disk is slower. @throws what writing the file has met. */
  async flush(): Promise<void> {
    const piece = this.#piece;
    this.#piece = '';
    if (this.#stream.destroyed) return void (await this.#written);
    if (!this.#stream.write(piece)) await Promise.race([once(this.#stream, 'drain'), this.#written]);
  }

  async end(): Promise<Written> {
    await this.flush();
    this.#stream.end();
    return await this.#written;
  }

  /** Whatever was written of it goes. */
  async abandon(error: Error): Promise<void> {
    this.#stream.destroy(error);
    await this.#written.catch(() => {});
  }
}
