import { type IgnoredFile, ignoredFiles } from '../sources/signatures.ts';
import { loadMapping } from '../mapping/load.ts';
import { inspectServer } from '../sources/database-server.ts';
import type { OpenedExport, Recognition } from './questions.ts';

/** The source of an export, found before anything is counted. */
export interface Recognised {
  readonly source: string;
  readonly title: string;
  readonly inputs: readonly Recognition[];
  /** Files whose names say that no source reads them. */
  readonly ignored: readonly IgnoredFile[];
}

/**
 * Connects to the servers of an opened export, so that a refused login is known before anything is read.
 *
 * @param mapping Path; it may say where the password is.
 * @throws UsageError, SourceError; their `wants` says that only the password is missing.
 */
export async function connectToServers(
  { inputs }: Pick<OpenedExport, 'inputs'>,
  mapping: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const { server } of inputs) {
    if (server !== undefined) await inspectServer(server, (await loadMapping(mapping)).rules.source, signal);
  }
}

/** Says what an opened export is, in words for people. */
export async function describeExport({ inputs, adapter, recognised }: OpenedExport): Promise<Recognised> {
  const { name: source, title } = adapter;
  return { source, title, inputs: recognised, ignored: await ignoredFiles(inputs) };
}
