import type { ExportInput } from '../../../io/input/export-input.ts';
import { hashInPath, hashPart } from '../../../io/input/fetched-files.ts';
import { sha256Hex } from '../../../lib/hash.ts';
import { SourceError } from '../../../lib/errors.ts';
import { oneLine, truncate } from '../../../lib/text/plain-text.ts';
import type { Entry } from '../../../model/entry.ts';
import { partialEntry, problemEntry } from '../entries.ts';
import { asArray, asObject, asString, type Untrusted } from '../narrow.ts';
import { addressInExport } from './local-files.ts';

const manifestName = /(?:^|\/)chatferry-fetch\.json$/;
/** 1,000 gaps of 1 KB are the most that one has. */
const bytesMax = 4 * 2 ** 20;

type Lists = AsyncIterable<readonly Entry[]>;

/**
 * Reads an export that `chatferry fetch` wrote, or any other. The manifest says what the provider did not give, and whether the fetch
 * came to its end: that is reported, and the source does not see the file.
 */
export async function* readFetched(
  input: ExportInput,
  context: { wants(path: string): boolean; readonly signal: AbortSignal },
  read: (input: ExportInput, about: { readonly isIncrement: boolean; readonly workspace?: string }) => Lists,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const manifests = paths.filter((path) => manifestName.test(path));
  if (manifests.length === 0) {
    yield* read(input, { isIncrement: false });
    return;
  }
  let isIncrement = false;
  const workspaces = new Set<string>();
  for (const path of manifests) {
    const manifest = asObject<Record<string, unknown>>(await parsed(input, path));
    isIncrement ||= manifest?.isIncrement === true;
    workspaces.add(asString(manifest?.workspace) ?? '');
    if (!context.wants(path)) continue;
    const reason = 'Written by chatferry fetch: what was asked for, and what came';
    yield [...gapsIn(manifest, path), { type: 'file', path, role: 'skipped', reason }];
  }
  if (workspaces.size > 1) {
    throw new SourceError(
      `Cannot read fetches of ${workspaces.size} installations as one export: their ids are alike`,
      {
        hint: 'Name each of their folders by itself',
        location: { path: manifests[0]! },
      },
    );
  }
  const [workspace] = [...workspaces].filter(Boolean);
  const folders = manifests.map((path) => path.slice(0, path.lastIndexOf('/') + 1));
  const own = paths.filter((path) =>
    folders.some((folder) => path.startsWith(`${folder}files/`) && hashInPath(path) !== undefined),
  );
  const left: Entry[] = own
    .filter((path) => context.wants(path))
    .map((path) => ({ type: 'file', path, role: 'skipped', reason: 'A file of a message, which names it' }));
  if (left.length > 0) yield left;
  const hidden = new Set([...manifests, ...own]);
  const shown = { ...input, paths: async () => paths.filter((path) => !hidden.has(path)) };
  const rest = read(shown, { isIncrement, ...(workspace !== undefined && { workspace }) });
  const files = new Map(own.map((path) => [hashInPath(path)!, path]));
  if (files.size === 0) yield* rest;
  else for await (const entries of rest) yield entries.map((entry) => withFiles(entry, files));
}

/** The entry, in which files that were fetched have their path in the export as address. */
function withFiles(entry: Entry, files: ReadonlyMap<string, string>): Entry {
  if (entry.type !== 'record' || entry.record.kind !== 'message' || !entry.record.attachments) return entry;
  const attachments = entry.record.attachments.map((attachment) => {
    const keys = [attachment.id, attachment.url].filter((key) => key !== undefined);
    const path = keys.map((key) => files.get(hashPart(sha256Hex(key)))).find((found) => found !== undefined);
    if (path === undefined) return attachment;
    const { unavailable: _, ...rest } = attachment;
    return { ...rest, url: addressInExport(path) };
  });
  return { ...entry, record: { ...entry.record, attachments } };
}

function gapsIn(manifest: Untrusted<Record<string, unknown>> | undefined, path: string): readonly Entry[] {
  if (manifest === undefined)
    return [problemEntry('export-is-partial', 'Expected the manifest of a fetch, and it cannot be read', { path })];
  const entries: Entry[] = [];
  if (manifest.ended === null) entries.push(partialEntry('The fetch has not come to its end: run it again', { path }));
  const since = asString(manifest.since);
  if (since !== undefined && manifest.isIncrement !== true)
    entries.push(partialEntry(`Only what changed since ${since.slice(0, 40)} was fetched`, { path }));
  const until = asString(manifest.until);
  if (until !== undefined)
    entries.push(partialEntry(`Only what was sent up to ${until.slice(0, 40)} was fetched`, { path }));
  const only = asArray(manifest.only);
  if (only.length > 0 && manifest.isIncrement !== true)
    entries.push(partialEntry(`Only ${only.length} conversations were asked for`, { path }));
  for (const [index, gap] of asArray(manifest.gaps).entries()) {
    const { step, of, why, missing } = asObject<Record<string, unknown>>(gap) ?? {};
    const list = [step, ...Object.values(asObject<Record<string, unknown>>(of) ?? {})]
      .flatMap((part) => asString(part) ?? [])
      .join(' ');
    const reason = `${truncate(oneLine(list), 120)}: ${truncate(oneLine(asString(why) ?? 'not given'), 200)}`;
    entries.push(
      partialEntry(reason, { path, pointer: `/gaps/${index}` }, typeof missing === 'number' ? Math.max(missing, 1) : 1),
    );
  }
  return entries;
}

async function parsed(input: ExportInput, path: string): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await input.read(path, bytesMax)).toString('utf8'));
  } catch (error) {
    if (error instanceof SourceError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
