import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putInPlace, replaceFile, replaceFileSync, writeFlushed } from '../../../src/lib/files/atomic-file.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** A folder with a file that says "old". */
function scene(): { readonly folder: string; readonly path: string; text(): string } {
  const folder = home.make();
  const path = join(folder, 'file.txt');
  writeFileSync(path, 'old');
  return { folder, path, text: () => readFileSync(path, 'utf8') };
}

async function* cutOff(): AsyncGenerator<string> {
  yield 'x'.repeat(200_000);
  throw new Error('cut off');
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.each([
  ['replaceFile()', (path: string, text: string): Promise<unknown> => replaceFile(path, [text])],
  ['replaceFileSync()', async (path: string, text: string): Promise<unknown> => replaceFileSync(path, text)],
])('%s', (_, write) => {
  it('replaces a file, for its owner only, and leaves nothing else behind', async () => {
    const { folder, path, text } = scene();
    await write(path, 'né😀');
    expect(text()).toBe('né😀');
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });

  it('makes a file that was not there', async () => {
    const { folder } = scene();
    await write(join(folder, 'other.txt'), '');
    expect(readFileSync(join(folder, 'other.txt'), 'utf8')).toBe('');
  });

  it('replaces a link, not its target', async () => {
    const { folder, path, text } = scene();
    symlinkSync(path, join(folder, 'link'));
    await write(join(folder, 'link'), 'new');
    expect([text(), readFileSync(join(folder, 'link'), 'utf8')]).toEqual(['old', 'new']);
  });

  it('removes its own file if it cannot be renamed', async () => {
    const { folder } = scene();
    mkdirSync(join(folder, 'taken'));
    await expect(write(join(folder, 'taken'), 'new')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['file.txt', 'taken']);
  });

  it('reports a missing folder', async () => {
    await expect(write(join(scene().folder, 'no', 'file.txt'), 'new')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('replaceFile()', () => {
  it('keeps the old file until the last piece is written', async () => {
    const { path, text } = scene();
    const seen: string[] = [];
    async function* pieces() {
      for (let count = 0; count < 3; count++) {
        yield Buffer.alloc(100_000, 'x');
        seen.push(text());
      }
    }
    expect(await replaceFile(path, pieces())).toBe(300_000);
    expect(seen).toEqual(['old', 'old', 'old']);
    expect(text()).toBe('x'.repeat(300_000));
  });

  it('leaves only the old file if the pieces end with an error', async () => {
    const { folder, path, text } = scene();
    await expect(replaceFile(path, cutOff())).rejects.toThrow('cut off');
    expect(text()).toBe('old');
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });

  it('allows two concurrent writes: the file is that of one of them', async () => {
    const { folder, path, text } = scene();
    await Promise.all(['a', 'b'].map((letter) => replaceFile(path, [letter.repeat(100_000)])));
    expect(new Set(text()).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });
});

describe('writeFlushed() and putInPlace()', () => {
  it('overwrite the partial file of a killed process, and replace the file on request', async () => {
    const { folder, path, text } = scene();
    const temporary = join(folder, '.file.partial');
    await expect(writeFlushed(temporary, cutOff())).rejects.toThrow('cut off');
    await writeFlushed(temporary, ['new']);
    expect([text(), modeOf(temporary)]).toEqual(['old', 0o600]);
    putInPlace(temporary, path);
    expect(text()).toBe('new');
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });
});
