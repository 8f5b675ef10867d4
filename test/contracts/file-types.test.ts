import { describe, expect, it } from 'vitest';
import { saysNothing } from '../../src/lib/files/file-types.ts';
import { mapAttachments, messageType } from '../../src/mapping/message/map-attachments.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Attachment } from '../../src/model/records.ts';
import { sources } from '../../src/sources/registry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { casesOf, filesOf, opened, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import type { FileKind, Files } from './kinds/kind.ts';
import { type Sample, sampleOptions, samplesOf } from './samples.ts';
import { messagesOf, readAll } from './source/check.ts';

const mediaTypes =
  /(?<![\w/.])(?:image|video|audio)\/(?:jpe?g|png|gif|webp|heic|svg\+xml|mp4|mpeg|m4a|ogg|webm|quicktime|3gpp|amr|aac|wav)(?![\w/.])/gi;

const withoutTypes = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content.replace(mediaTypes, 'application/octet-stream') : content,
    ]),
  );

const ending = /\.(?:jpe?g|png|gif|webp|heic|svg|mp4|m4a|mp3|ogg|oga|opus|webm|mov|3gp|amr|aac|wav)$/i;

/** Type of the message that would hold this file alone, wherever the file is. */
const sentAs = (file: Attachment): string =>
  messageType(
    mapAttachments([{ ...file, url: /^https?:/.test(file.url ?? '') ? file.url : 'https://a.example/' }], false)
      .attached,
  );

const attachmentsIn = (entries: readonly Entry[]): readonly Attachment[] =>
  messagesOf(entries).flatMap(({ attachments = [] }) => attachments);

/** Returns the files that a message would show as plain ones, though their names say what they are. */
async function greyFiles(adapter: SourceAdapter, sample: Sample): Promise<readonly string[]> {
  const files = withoutTypes(await filesOf(sample));
  const entries = await readAll(adapter, await opened(files, adapter.name), {}, sampleOptions(sample));
  return attachmentsIn(entries)
    .filter((file) => ending.test(file.name) && sentAs(file) === 'file')
    .map(({ name }) => name);
}

/** A source with a change of each of its files. */
const onFiles = (adapter: SourceAdapter, change: (file: Attachment) => Attachment): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request))
      yield entries.map((entry) =>
        entry.type === 'record' && entry.record.kind === 'message' && entry.record.attachments
          ? { ...entry, record: { ...entry.record, attachments: entry.record.attachments.map(change) } }
          : entry,
      );
  },
});

const withOwnFallback = (file: Attachment): Attachment =>
  saysNothing(file.mimeType ?? '') ? { ...file, mimeType: 'text/plain' } : file;

const samples = sources.flatMap((adapter) =>
  samplesOf(adapter.name).map((sample) => [adapter.name, sample.name, sample] as const),
);

describe('a file whose media type is not in its row', () => {
  it.each(samples)('is what its name says (%s, %s)', async (source, _, sample) => {
    expect(await greyFiles(sourceNamed(source), sample)).toEqual([]);
  });

  it('is noticed if a source has a type of its own for it', async () => {
    const sample = samplesOf('discord').find(({ name }) => name === 'every-kind') ?? samplesOf('discord')[0]!;
    expect(await greyFiles(onFiles(sourceNamed('discord'), withOwnFallback), sample)).not.toEqual([]);
  });
});

/** Types of the messages that hold files of which no name says what they are. */
async function unnamedKinds(adapter: SourceAdapter, one: FileKind): Promise<readonly string[]> {
  const files = attachmentsIn(await readEdited(adapter, one)).filter(
    ({ name, url = '' }) => !ending.test(name) && !ending.test(url),
  );
  return files.map(sentAs);
}

const cases = casesOf('fileKinds').map(([source, one]) => [source, one.kind, one] as const);

describe('a file whose name does not say what it is', () => {
  it.each(cases)('is what its row says (%s: %s)', async (source, kind, one) => {
    expect(await unnamedKinds(sourceNamed(source), one)).toContain(kind);
  });

  it.each(everyNth(4, cases))('is noticed if a source drops that (%s: %s)', async (source, kind, one) => {
    const mute = onFiles(sourceNamed(source), ({ kind: _, mimeType: __, ...file }) => file);
    expect(await unnamedKinds(mute, one)).not.toContain(kind);
  });
});
