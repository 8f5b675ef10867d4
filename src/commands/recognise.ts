import { type IgnoredFile, ignoredFiles } from '../sources/signatures.ts';
import type { Recognition } from './init/recognitions.ts';
import type { OpenedExport } from './questions.ts';

/** The source of an export, found before anything is counted. */
export interface Recognised {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly Recognition[];
  /** Files whose names say that no source reads them. */
  readonly ignored: readonly IgnoredFile[];
}

/** Says what an opened export is, in words for people. */
export async function recognisedOf({ inputs, adapter, recognised }: OpenedExport): Promise<Recognised> {
  const { name: source, title } = adapter;
  return { source, title, inputs: recognised, ignored: await ignoredFiles(inputs) };
}
