import { packTar, type TarHeader } from 'modern-tar';

export interface TarPart extends Partial<Pick<TarHeader, 'type' | 'linkname'>> {
  readonly name: string;
  readonly content?: Uint8Array | string;
}

/** An archive of these entries, in their order. */
export async function makeTar(parts: readonly TarPart[]): Promise<Buffer> {
  const entries = parts.map(({ content = '', ...header }) => {
    const body = Buffer.from(content);
    return { header: { mtime: new Date(0), ...header, size: body.length }, body };
  });
  return Buffer.from(await packTar(entries));
}
