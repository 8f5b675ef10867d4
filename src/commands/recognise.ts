import { openExport } from '../io/input/open-export.ts';
import { chooseSource } from '../plan/choose-source.ts';
import { type IgnoredFile, ignoredFiles } from '../sources/signatures.ts';
import { type Recognition, recognitions } from './init/recognitions.ts';

/** The source of an export, found before anything is counted. */
export interface Recognised {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly Recognition[];
  /** Files whose names say that no source reads them. */
  readonly ignored: readonly IgnoredFile[];
}

/**
 * Opens an export, looks at the beginnings of its files, and closes it.
 *
 * @param source The one that the user named.
 * @throws SourceError, UsageError
 */
export async function recognise(exports: readonly string[], source: string | undefined): Promise<Recognised> {
  const inputs = await openExport(exports);
  try {
    const adapter = await chooseSource(inputs, source);
    return {
      source: adapter.name,
      title: adapter.title,
      inputs: await recognitions(inputs, adapter),
      ignored: await ignoredFiles(inputs),
    };
  } finally {
    for (const input of inputs) await input.close();
  }
}
