import type { ExportInput } from '../../io/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/location.ts';

/** Some elements of a file's array, in order. */
export interface ArrayBatch {
  readonly firstIndex: number;
  readonly values: readonly unknown[];
  /** Why what follows `values` could not be read; absent where all is well. */
  readonly broken?: { readonly code: string; readonly reason: string; readonly location: Location };
}

/** Up to here a file is read in one piece, which is several times faster. Day files rarely reach 1 MiB. */
const wholeFileBytesMax = 8 * 1024 * 1024;

export async function* readArrayFile(input: ExportInput, path: string): AsyncGenerator<ArrayBatch> {
  const broken = (reason: string) => ({ code: 'broken-json', reason, location: { path, pointer: '/0' } });
  try {
    const bytes = await input.read(path, wholeFileBytesMax);
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    if (Array.isArray(value)) yield { firstIndex: 0, values: value };
    else yield { firstIndex: 0, values: [], broken: broken('expected an array') };
  } catch (error) {
    if (error instanceof SourceError || error instanceof SyntaxError)
      yield { firstIndex: 0, values: [], broken: broken(error.message) };
    else throw error;
  }
}
