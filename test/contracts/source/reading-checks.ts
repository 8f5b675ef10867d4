import { expect } from 'vitest';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { recordSchema } from '../../../src/model/records.ts';
import { decodedInput } from '../../../src/io/input/decoded-input.ts';
import { firstOf } from '../../tier.ts';
import { watched, withFile } from '../altered-input.ts';
import { openSample, sampleOptions } from '../samples.ts';
import {
  type Check,
  contextWith,
  messageFilesOf,
  messagesOf,
  pathOf,
  readSample,
  rowFilesOf,
  type SampleSubject,
  toLines,
} from './check.ts';
import { hasOtherForm, isWellWithout, lostFiles, otherForms, somethingElseFor } from './file-damages.ts';

/** How a sample is read: what comes of it as entries, in parts, damaged, and when reading ends early. */
export const readingChecks: readonly Check<SampleSubject>[] = [
  {
    says: 'yields exactly the entries of expected.ndjson',
    async run({ whole, expected }) {
      expect(toLines(await whole())).toBe(await expected());
    },
  },
  {
    says: 'yields records that fit the model',
    async run({ whole }) {
      for (const entry of await whole()) {
        if (entry.type === 'record') expect(() => recordSchema.parse(entry.record), format(entry)).not.toThrow();
      }
    },
  },
  {
    says: 'gives every entry a place that exists',
    async run({ sample, whole }) {
      const input = await openSample(sample);
      const paths = await input.paths();
      for (const entry of await whole()) {
        expect(paths).toContain(pathOf(entry));
        if (entry.type !== 'file') await expectPlace(input, entry);
      }
    },
  },
  {
    says: 'closes every file once, after everything that it holds',
    async run({ sample, whole }) {
      const entries = await whole();
      const closed = entries.filter((entry) => entry.type === 'file').map(({ path }) => path);
      expect([...closed].sort()).toEqual([...(await (await openSample(sample)).paths())].sort());
      const afterClosing = entries.filter((entry, index) => {
        const closedAt = entries.findIndex((other) => other.type === 'file' && other.path === pathOf(entry));
        return entry.type !== 'file' && closedAt < index;
      });
      expect(afterClosing).toEqual([]);
    },
  },
  {
    says: 'yields the same when read twice',
    async run(subject) {
      // Both from the same opened export.
      expect(await readSample(subject)).toEqual(await subject.whole());
    },
  },
  {
    says: 'is the same whole in any parts',
    async run(subject) {
      const whole = await subject.whole();
      const rowFiles = rowFilesOf(whole);
      const isRow = (entry: Entry) => rowFiles.includes(pathOf(entry));
      for (const index of firstOf(2, [...rowFiles.keys()])) {
        const wants = (candidate: string) => rowFiles.indexOf(candidate) <= index;
        const part = await readSample(subject, undefined, { wants });
        const rest = await readSample(subject, undefined, { wants: (candidate) => !wants(candidate) });
        expect(part.filter((entry) => !isRow(entry))).toEqual(whole.filter((entry) => !isRow(entry)));
        expect([...part.filter(isRow), ...rest.filter(isRow)]).toEqual(whole.filter(isRow));
      }
    },
  },
  {
    says: 'does not open a file that is not wanted',
    async run(subject) {
      const { input, watch } = watched(await openSample(subject.sample));
      await readSample(subject, input, { wants: () => false });
      const rowFiles = rowFilesOf(await subject.whole());
      expect(rowFiles.filter((path) => watch.opened.includes(path))).toEqual([]);
    },
  },
  {
    says: 'rejects what a cut-off file has lost, and reads the others',
    async run(subject) {
      const whole = await subject.whole();
      for (const path of rowFilesOf(whole).filter((candidate) => candidate.endsWith('.json'))) {
        const input = await openSample(subject.sample);
        const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
        const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6));
        const entries = await readSample(subject, withFile(input, path, cut));
        const isLost = (entry: Entry) => entry.type === 'invalid' && entry.location.path === path;
        expect(entries.some(isLost), path).toBe(true);
        expect(withoutFile(entries, path)).toEqual(withoutFile(whole, path));
      }
    },
  },
  {
    says: 'rejects a file that cannot be read, and reads the others',
    async run(subject) {
      const whole = await subject.whole();
      for (const path of rowFilesOf(whole)) {
        const entries = await readSample(subject, withFile(await openSample(subject.sample), path, undefined));
        const own = entries.filter((entry) => pathOf(entry) === path);
        expect(own.map(({ type }) => type)).toEqual(['invalid', 'file']);
        expect(withoutFile(entries, path)).toEqual(withoutFile(whole, path));
      }
    },
  },
  {
    says: 'reads the same from a file of messages in UTF-16, or packed with gzip',
    async run(subject) {
      const whole = await subject.whole();
      for (const path of firstOf(1, messageFilesOf(whole))) {
        const input = await openSample(subject.sample);
        const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
        for (const form of firstOf(2, otherForms).filter((other) => hasOtherForm(bytes, other))) {
          const stored = decodedInput(withFile(input, path, form.make(bytes)));
          expect(messagesOf(await readSample(subject, stored)), `${path}: ${form.name}`).toEqual(messagesOf(whole));
        }
      }
    },
  },
  {
    says: 'rejects what stands under the name of a file of messages and is none',
    async run(subject) {
      const whole = await subject.whole();
      for (const path of firstOf(1, messageFilesOf(whole))) {
        const input = await openSample(subject.sample);
        const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
        for (const damage of lostFiles.filter((lost) => !isWellWithout(subject.adapter.name, path, lost))) {
          const entries = await readSample(subject, decodedInput(withFile(input, path, damage.make(bytes))));
          const rejects = entries.filter((entry) => entry.type === 'invalid' && pathOf(entry) === path);
          expect(rejects.length, `${path}: ${damage.name}`).toBeGreaterThan(0);
        }
      }
    },
  },
  {
    says: 'never takes a file of messages that holds something else for an empty one',
    async run(subject) {
      const whole = await subject.whole();
      for (const path of firstOf(1, messageFilesOf(whole))) {
        const input = await openSample(subject.sample);
        const altered = decodedInput(withFile(input, path, somethingElseFor(path)));
        const found = await readSample(subject, altered).catch((error: unknown) => error);
        // A table that is not there stops the run with the reason.
        if (!Array.isArray(found)) continue;
        const about = (found as Entry[]).filter((entry) => pathOf(entry) === path);
        const isEmpty = about.length > 0 && about.every((entry) => entry.type === 'file' && entry.role === 'rows');
        expect(isEmpty, `${path}: something else`).toBe(false);
      }
    },
  },
  {
    says: 'leaves nothing open when the reader stops early',
    async run({ adapter, sample }) {
      const { input, watch } = watched(await openSample(sample));
      const options = adapter.options.parse(sampleOptions(sample));
      for await (const entries of adapter.read(input, options, contextWith({}))) {
        if (entries.some((entry) => entry.type === 'record' && entry.record.kind === 'message')) break;
      }
      expect(watch.openCount).toBe(0);
    },
  },
  {
    says: 'opens no further file after an abort',
    async run({ adapter, sample }) {
      const { input, watch } = watched(await openSample(sample));
      const options = adapter.options.parse(sampleOptions(sample));
      const abort = new AbortController();
      const reason = new Error('enough');
      let openedBefore: readonly string[] | undefined;
      const reading = async () => {
        for await (const _ of adapter.read(input, options, contextWith({ signal: abort.signal }))) {
          openedBefore ??= [...watch.opened];
          abort.abort(reason);
        }
      };
      // The list that came may have been the last one.
      await reading().catch((error: unknown) => expect(error).toBe(reason));
      expect(watch.opened).toEqual(openedBefore);
      expect(watch.openCount).toBe(0);
    },
  },
  {
    says: 'reads nothing when it is aborted already',
    async run(subject) {
      const { input, watch } = watched(await openSample(subject.sample));
      const reading = readSample(subject, input, { signal: AbortSignal.abort(new Error('enough')) });
      await expect(reading).rejects.toThrow('enough');
      expect(watch.opened).toEqual([]);
    },
  },
];

const format = (entry: Entry) => JSON.stringify(entry);

const withoutFile = (entries: readonly Entry[], path: string) => entries.filter((entry) => pathOf(entry) !== path);

async function expectPlace(input: ExportInput, entry: Exclude<Entry, { type: 'file' }>): Promise<void> {
  const { path, line, pointer } = entry.location;
  const text = Buffer.from(await input.read(path, Number.MAX_SAFE_INTEGER)).toString('utf8');
  if (line !== undefined) expect(text.split('\n').length, format(entry)).toBeGreaterThanOrEqual(line);
  if (pointer === undefined) return;
  const json = parseOrUndefined(text);
  if (json !== undefined && entry.type === 'record') expect(resolve(json, pointer), format(entry)).toBeDefined();
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** RFC 6901. */
function resolve(json: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    json,
  );
}
