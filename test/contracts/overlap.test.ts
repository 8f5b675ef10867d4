import { describe, expect, it } from 'vitest';
import { planExport } from '../../src/commands/prepare.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import type { Entry } from '../../src/model/entry.ts';
import { recordDigest, versionOfRecord } from '../../src/model/record-digest.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { everyNth } from '../tier.ts';
import {
  type CaseOf,
  casesOf,
  editedFiles,
  mappingOf,
  readEdited,
  sampleNamed,
  sourceNamed,
  writeFiles,
} from './kinds/edited-samples.ts';
import { messagesOf } from './source/check.ts';

type Case = CaseOf<'overlaps'>;

const folders = temporaryFolderInMemory();

/**
 * Returns complaints about a source whose exports overlap: messages that changed between the two and do not show which
 * state is later, so that the order of arguments would decide.
 */
async function overlapComplaints(adapter: SourceAdapter, { sample, before = [], after }: Case): Promise<string[]> {
  const [old, now] = [
    await byId(adapter, { sample, edits: before }),
    await byId(adapter, { sample, edits: [...before, ...after] }),
  ];
  const changed = [...now].filter(([id, message]) => {
    const earlier = old.get(id);
    return earlier && recordDigest(earlier) !== recordDigest(message);
  });
  if (changed.length === 0) return ['no message is in both and changed'];
  return changed.flatMap(([id, message]) =>
    versionOfRecord(message) > versionOfRecord(old.get(id)!) ? [] : [`${id}: nothing says which state is later`],
  );
}

async function byId(adapter: SourceAdapter, edited: Parameters<typeof readEdited>[1]) {
  const messages = messagesOf(await readEdited(adapter, edited));
  return new Map<string, MessageRecord>(
    messages.map((message) => [`${message.origin.conversation} ${message.origin.id}`, message]),
  );
}

/** Codes of what a plan of both exports finds. */
async function planned(source: string, { sample, before = [], after }: Case): Promise<string[]> {
  const found = sampleNamed(source, sample);
  const from = [
    writeFiles(await editedFiles(found, before), folders.make()),
    writeFiles(await editedFiles(found, [...before, ...after]), folders.make()),
  ];
  const mapping = await loadMapping(mappingOf(found));
  const { report } = await planExport({ from, source, mapping, store: `${folders.make()}/chatferry.db` });
  return report.problems.map(({ code }) => code);
}

/** Makes a source that omits the version of each state. */
const silent = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutVersion);
  },
});

function withoutVersion(entry: Entry): Entry {
  if (entry.type !== 'record' || entry.record.kind !== 'message') return entry;
  const { version: _, edited: __, isDeleted: ___, ...record } = entry.record;
  return { ...entry, record };
}

const named = casesOf('overlaps').map(([source, one]) => [source, one.changed, one] as const);
const dated = named.filter(([, , { isUndated }]) => !isUndated);
const undated = named.filter(([, , { isUndated }]) => isUndated);

describe('two exports that overlap', () => {
  it.each(dated)('say themselves which state of a message is later (%s: %s)', async (source, _, one) => {
    expect(await overlapComplaints(sourceNamed(source), one)).toEqual([]);
  });

  it.each(undated)('do not show which state is later if the format does not (%s: %s)', async (source, _, one) => {
    expect(await overlapComplaints(sourceNamed(source), one)).toEqual([
      expect.stringMatching('nothing says which state is later'),
    ]);
  });

  it.each(everyNth(4, undated))(
    'cause a question in a plan if they do not show which state is later (%s: %s)',
    async (source, _, one) => {
      expect(await planned(source, one)).toContain('version-undecided');
    },
  );

  it.each(everyNth(3, dated))('are reported if a source omits the version (%s: %s)', async (source, _, one) => {
    expect(await overlapComplaints(silent(sourceNamed(source)), one)).not.toEqual([]);
  });
});
