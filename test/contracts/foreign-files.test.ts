import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { UnreadChats } from '../../src/sources/detect.ts';
import { everyNth } from '../tier.ts';
import { decisionsAbout, filesOf, opened, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import type { Files } from './kinds/kind.ts';
import { listSamples, type Sample } from './samples.ts';
import { pathOf } from './source/check.ts';

/** Returns complaints about a source that reads a sample with foreign files in it. */
async function foreignComplaints(adapter: SourceAdapter, sample: Sample, added: Files): Promise<string[]> {
  const edits = [(files: Files) => ({ ...files, ...added })];
  const entries = await readEdited(adapter, { sample: sample.name, edits });
  const unread = new UnreadChats(await opened({ ...(await filesOf(sample)), ...added }, sample.source), adapter);
  const complaints: string[] = [];
  for (const path of Object.keys(added)) {
    const own = entries.filter((entry) => pathOf(entry) === path);
    const closing = own.find((entry) => entry.type === 'file');
    if (closing === undefined) complaints.push(`"${path}" is not listed`);
    else if (!isNamed(await unread.judge(closing), own)) complaints.push(`"${path}" is left out without a reason`);
  }
  return complaints;
}

/** Whether a file is read, or left out with a reason. */
function isNamed(closing: Extract<Entry, { type: 'file' }>, own: readonly Entry[]): boolean {
  const isRead = closing.role === 'rows' || closing.role === 'shared';
  return isRead ? own.length > 1 : (closing.reason ?? '') !== '';
}

const onFiles = (adapter: SourceAdapter, change: (entry: Entry) => Entry | undefined): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.flatMap((entry) => change(entry) ?? []);
  },
});

/** A source that says nothing of files that it does not know. */
const silent = (adapter: SourceAdapter): SourceAdapter =>
  onFiles(adapter, (entry) =>
    entry.type === 'file' && (entry.role === 'unknown' || entry.role === 'skipped') ? undefined : entry,
  );

/** Makes a source that skips unknown files without a reason. */
const curt = (adapter: SourceAdapter): SourceAdapter =>
  onFiles(adapter, (entry) =>
    entry.type === 'file' && (entry.role === 'unknown' || entry.role === 'skipped')
      ? { type: 'file', path: entry.path, role: 'skipped' }
      : entry,
  );

const rows = [
  { author: 'mia', text: 'Is the pier open?', time: '2026-03-02T09:15:00Z' },
  { author: 'ole', text: 'From six on', time: '2026-03-02T09:16:00Z' },
];
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const log = '[09:15] <mia> Is the pier open?\n[09:16] <ole> From six on\n[09:17] <mia> Thank you\n';

const cases = decisionsAbout('foreignFiles').flatMap(([source, said = { 'zz-pier/talk.log': log }]) => {
  if (typeof said === 'string') return [];
  const files = { ...said, 'zz-pier/rows.ndjson': lines };
  const samples = listSamples().filter((sample) => sample.source === source);
  return samples.map((sample) => [source, sample.name, sample, files] as const);
});
const firsts = cases.filter(([source], at) => cases.findIndex(([other]) => other === source) === at);

describe('a file of another chat among those of an export', () => {
  it.each(everyNth(3, cases))('is read, or listed with a reason (%s, %s)', async (source, _, sample, files) => {
    expect(await foreignComplaints(sourceNamed(source), sample, files)).toEqual([]);
  });

  it.each(everyNth(4, firsts))('is missed where its entry is dropped (%s)', async (source, _, sample, files) => {
    expect(await foreignComplaints(silent(sourceNamed(source)), sample, files)).not.toEqual([]);
  });

  it.each(everyNth(4, firsts))('is missed where its reason is dropped (%s)', async (source, _, sample, files) => {
    expect(await foreignComplaints(curt(sourceNamed(source)), sample, files)).not.toEqual([]);
  });
});
