import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { SourceError } from '../../src/lib/errors.ts';

export interface InputKind {
  readonly name: string;
  /** Whether an input of this kind has more than one file. */
  readonly hasManyFiles: boolean;
  /** Prefix of every path: for files of an archive, the archive. Default none. */
  readonly prefix?: string;
  /** Makes an export of these files, whose paths have the prefix, in this order, and opens it. Called again, it makes another export. */
  open(files: ReadonlyMap<string, Uint8Array>): Promise<ExportInput>;
}

const text = new TextEncoder();

/** Tests the guarantees of every kind of input. */
export function exportInputContract(kind: InputKind): void {
  const { prefix = '' } = kind;
  const messages = `${prefix}messages.json`;
  const one = new Map([[messages, text.encode('[{"text":"hello"}]')]]);
  const many = new Map([
    [`${prefix}z.json`, text.encode('z')],
    [`${prefix}general/2024-03-02.json`, text.encode('second')],
    [`${prefix}general/2024-03-01.json`, text.encode('first')],
    [`${prefix}Ärger.json`, text.encode('ä')],
    [`${prefix}A.json`, text.encode('A')],
    [`${prefix}empty.json`, new Uint8Array()],
  ]);
  const files = kind.hasManyFiles ? many : one;
  const [firstPath, firstBytes] = [...files][0]!;

  async function open(content: ReadonlyMap<string, Uint8Array> = files): Promise<ExportInput> {
    const input = await kind.open(content);
    onTestFinished(() => input.close());
    return input;
  }

  describe(`${kind.name} as an export input`, () => {
    it('lists every path once, sorted by code unit, with forward slashes', async () => {
      const input = await open();
      expect(await input.paths()).toEqual([...files.keys()].sort());
      expect(input.problems).toEqual([]);
    });

    it('returns its name and location', async () => {
      const input = await open();
      expect(input.label).not.toContain('/');
      expect(input.key.startsWith('/')).toBe(true);
    });

    it('reads the same bytes as a whole and in chunks', async () => {
      const input = await open();
      for (const [path, bytes] of files) {
        expect(Buffer.from(await input.read(path, 100))).toEqual(Buffer.from(bytes));
        expect(await collect(input.open(path))).toEqual(Buffer.from(bytes));
      }
    });

    it('hands out buffers that stay as they are when something else is read', async () => {
      const input = await open();
      const first = await input.read(firstPath, 100);
      for (const path of files.keys()) await input.read(path, 100);
      expect(Buffer.from(first)).toEqual(Buffer.from(firstBytes));
    });

    it('yields large files whole, in chunks that may be kept', async () => {
      const large = new Map([[messages, manyNumbers]]);
      const input = await open(large);
      expect((await collect(input.open(messages))).equals(large.get(messages)!)).toBe(true);
      expect(Buffer.from(await input.read(messages, 10_000_000)).equals(large.get(messages)!)).toBe(true);
      expect(Buffer.from(await input.head(messages, 5)).toString()).toBe('1 2 3');
    });

    it('gives the size of each file', async () => {
      const input = await open();
      for (const [path, bytes] of files) expect((await input.stat(path)).sizeBytes).toBe(bytes.length);
    });

    it('gives the same fingerprint for the same content, and another for other content', async () => {
      const before = await (await open()).stat(firstPath);
      expect(await (await open()).stat(firstPath)).toEqual(before);
      const changed = firstBytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
      const after = await (await open(new Map([[firstPath, changed]]))).stat(firstPath);
      expect(after.sizeBytes).toBe(before.sizeBytes);
      expect(after.fingerprint).not.toBe(before.fingerprint);
    });

    it('gives the head of a file, and no more than there is', async () => {
      const input = await open();
      expect(Buffer.from(await input.head(firstPath, 1))).toEqual(Buffer.from(firstBytes.subarray(0, 1)));
      expect(Buffer.from(await input.head(firstPath, 1000))).toEqual(Buffer.from(firstBytes));
    });

    it('refuses to read a file as a whole that is larger than allowed, and says which', async () => {
      const input = await open();
      await expect(input.read(firstPath, firstBytes.length)).resolves.toBeDefined();
      const error = await failure(input.read(firstPath, firstBytes.length - 1));
      expect(error).toBeInstanceOf(SourceError);
      expect((error as SourceError).location).toEqual({ path: firstPath });
    });

    it('refuses a path that it did not list', async () => {
      const input = await open();
      for (const path of ['../messages.json', '/etc/passwd', 'no-such-file.json', '']) {
        expect(await failure(input.read(path, 100))).toBeInstanceOf(SourceError);
        expect(await failure(input.stat(path))).toBeInstanceOf(SourceError);
        expect(await failure(input.head(path, 1))).toBeInstanceOf(SourceError);
        expect(await failure(collect(input.open(path)))).toBeInstanceOf(SourceError);
      }
    });

    it('can be left in the middle of a file and read again', async () => {
      const input = await open(new Map([[messages, manyNumbers]]));
      for await (const chunk of input.open(messages)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect((await collect(input.open(messages))).length).toBe(manyNumbers.length);
    });

    it('gives a local file with the same bytes', async () => {
      const { readFileSync } = await import('node:fs');
      const input = await open();
      expect(readFileSync(await input.materialise(firstPath))).toEqual(Buffer.from(firstBytes));
      expect(await input.materialise(firstPath)).toBe(await input.materialise(firstPath));
    });

    it('may be closed twice', async () => {
      const input = await open();
      await input.close();
      await input.close();
    });
  });
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces);
}

/** Returns the error with which a promise is rejected. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a failure');
}

/** The same object for all kinds of inputs: an archive of it is packed once. */
const manyNumbers = text.encode(Array.from({ length: 200_000 }, (_, index) => index + 1).join(' '));
