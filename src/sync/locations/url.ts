import { basename, join } from 'node:path';
import type { UrlExport } from '../../config/export-location.ts';
import { locationMemory } from '../state/location-memory.ts';
import { download, type Validators } from './download.ts';
import { readHeaders } from './headers-file.ts';
import { KeptFile } from './kept-file.ts';
import { type LocationContext, type Obtained, plainTake } from './location.ts';
import { type FileMemory, receiveFile } from './receive.ts';

/** An export that a server offers. It is asked whether it changed, and read again only where it did. */
export async function obtainFromUrl(location: UrlExport, context: LocationContext): Promise<Obtained> {
  const { url, headersFile, format, timeout: timeoutMs, sizeMax } = location;
  const file = new KeptFile(join(context.folder, format ?? nameOf(url)));
  const memory = locationMemory<FileMemory & Validators>(context.state.db, context.job, url);
  const before = memory.read();
  // What a server says of "unchanged" only counts for the bytes that are still here.
  const isHere = before?.sizeBytes !== undefined && file.sizeBytes() === before.sizeBytes;
  const answer = await download({
    url,
    headers: headersFile === undefined ? {} : readHeaders(headersFile),
    known: isHere ? before : {},
    ...{ timeoutMs, sizeMax, signal: context.signal },
  });
  if (answer.kind === 'unchanged') return plainTake([file.path]);
  try {
    return await receiveFile(file, memory, answer.validators, () => answer.save(file));
  } finally {
    await answer.close();
  }
}

/** `https://example.com/exports/chat.zip?token=…` → `chat.zip`. */
function nameOf(url: string): string {
  const name = basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_');
  return /^\.*$/.test(name) ? 'export' : name.slice(-100);
}
