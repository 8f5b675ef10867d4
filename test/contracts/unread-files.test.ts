import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { UnreadChats } from '../../src/sources/detect.ts';
import { everyNth } from '../tier.ts';
import { filesOf, opened, sourceNamed } from './kinds/edited-samples.ts';
import type { Files } from './kinds/kind.ts';
import { listSamples, type Sample } from './samples.ts';
import { messageFilesOf, messagesOf, pathOf, readSample } from './source/check.ts';

type Json = Readonly<Record<string, unknown>> | readonly unknown[];

const otherNames = 'with its lists under other names';

/** The same rows in another place of a file, as a version of a format may have them that no source knows. */
const changes: Readonly<Record<string, (value: Json) => unknown>> = {
  'with something around it': (value) => ({ export: { things: value } }),
  'in a list of lists': (value) => [[value]],
  [otherNames]: (value) =>
    Array.isArray(value)
      ? { entries: value }
      : mapped(value as object, (key, one) => [Array.isArray(one) ? `more_${key}` : key, one]),
  'with something around each row': (value) =>
    Array.isArray(value)
      ? value.map((row) => ({ row }))
      : mapped(value as object, (key, one) => [key, Array.isArray(one) ? one.map((row) => ({ row })) : one]),
  'with its keys in another order': backwards,
};

const mapped = (value: object, change: (key: string, one: unknown) => readonly [string, unknown]): unknown =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => change(key, one)));

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return mapped(Object.fromEntries(Object.entries(value).reverse()), (key, one) => [key, backwards(one)]);
}

/** Returns the text with a change of its value, or of the value on each line; undefined if it is no JSON. Lists on a line are parts of a row. */
function changed(text: string, name: string): string | undefined {
  const change = changes[name]!;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    return JSON.stringify(change(JSON.parse(text) as Json));
  } catch {
    if (name === otherNames) return undefined;
    try {
      return lines.map((line) => `${JSON.stringify(change(JSON.parse(line) as Json))}\n`).join('');
    } catch {
      return undefined;
    }
  }
}

interface Case {
  readonly sample: Sample;
  readonly path: string;
  readonly name: string;
}

/** Returns whether a file of messages is passed over: not all of it is read, and no more is said than that it is there. */
async function isPassedOver({ sample, path, name }: Case, judged = true): Promise<boolean> {
  const adapter = sourceNamed(sample.source);
  const files = await filesOf(sample);
  const before = messagesOf(await readSample({ adapter, sample }, await opened(files, sample.source))).length;
  const text = changed(files[path]!.toString(), name);
  if (text === undefined) return false;
  const input = await opened({ ...files, [path]: text } as Files, sample.source);
  const entries: Entry[] = [];
  const unread = new UnreadChats(input, adapter);
  for (const entry of await readSample({ adapter, sample }, input))
    entries.push(entry.type === 'file' && judged ? await unread.judge(entry) : entry);
  const isSaid = entries.some((entry) => pathOf(entry) === path && (entry.type === 'invalid' || isOpenChat(entry)));
  return messagesOf(entries).length < before && !isSaid;
}

const isOpenChat = (entry: Entry): boolean => entry.type === 'file' && entry.isChat === true;

/** A mapping says which rows of a table are messages. */
const samples = listSamples().filter(({ source }) => !['csv', 'json', 'database'].includes(source));
const cases: Case[] = [];
for (const sample of samples) {
  const files = await filesOf(sample);
  const whole = await readSample({ adapter: sourceNamed(sample.source), sample }, await opened(files, sample.source));
  const paths = messageFilesOf(whole).filter((path) => /\.(?:json|jsonl|ndjson)$/i.test(path));
  for (const path of paths.slice(0, 2)) for (const name of Object.keys(changes)) cases.push({ sample, path, name });
}
const named = cases.map((one) => [one.sample.folder, one.path, one.name, one] as const);

describe('a file of messages that a source does not know in this form', () => {
  it.each(everyNth(6, named))('is not passed over with a note (%s, %s, %s)', async (_, __, ___, one) => {
    expect(await isPassedOver(one)).toBe(false);
  });

  it('is noticed where nothing looks into it', async () => {
    const around = named.filter(
      ([folder, , name]) => /front\/answers|signal\/sigtop/.test(folder) && /around it/.test(name),
    );
    for (const [folder, , , one] of around) expect(await isPassedOver(one, false), folder).toBe(true);
    expect(around).not.toEqual([]);
  });
});
