import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { expectedByName, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { sendbirdCodes } from './codes.ts';
import { Directory } from './directory.ts';
import { type ExportContext, newCounts, readList, readMessages } from './files.ts';
import { timesOf } from './format.ts';
import { readLayout } from './layout.ts';
import type { Layout } from './rows.ts';

const options = z.strictObject({
  zone: zoneSchema.describe(
    'The zone that the export was asked for, such as Europe/Berlin, where dates in tables name none. Default UTC, as for the export itself.',
  ),
});

/** Data exports of Sendbird, as `format.ts` says. */
export const sendbird = defineSource({
  name: 'sendbird',
  title: 'Sendbird data exports (JSON, CSV; ZIP or folder), and answers of its API',
  what: 'Sendbird: data exports of messages, channels and users, JSON and CSV, as many ZIPs or folders as there are, or answers of the Platform API: threads, reactions, files, polls, data of the app',
  notes: 'many ZIPs that overlap, units of time, tables',
  sortKeys: 'always',
  options,
  codes: sendbirdCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const marks: readonly Marks[] = [
  {
    objects: [
      {
        at: '**',
        keys: ['message_id', 'type', 'created_at', 'message'],
        values: { type: /^(?:MESG|FILE|ADMM|BRDM)$/ },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['channel_url', 'custom_type', 'cover_url'] }] },
  {
    objects: [
      { at: '', keys: ['active_users'] },
      { at: '/active_users/*', keys: ['user_id', 'nickname', 'profile_url'] },
    ],
  },
  {
    objects: [
      { at: '', keys: ['deactivated_users'] },
      { at: '/deactivated_users/*', keys: ['user_id', 'nickname', 'profile_url'] },
    ],
  },
  {
    files: /\.csv$/i,
    text: [
      /^[^\n]{0,3000}\bmessage_id\b/,
      /^[^\n]{0,3000}\bchannel_url\b/,
      // Tables that other services make of their Sendbird, such as Reddit, have names in its place.
      /^[^\n]{0,3000}\b(?:user_id|sender_id|user)\b/,
    ],
    shows: '"message_id", "channel_url" and the id of an author in its header',
  },
];

const rowsNamed = /\.(?:json|jsonl|ndjson|csv)$/i;

async function* read(
  exported: ExportInput,
  { zone }: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(
    exported,
    (path) => expectedByName(path) ?? (rowsNamed.test(path) ? expectedText : undefined),
  );
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  for (const path of own) {
    const layout = own.length === 1 || rowsNamed.test(path) ? await readLayout(input, path) : undefined;
    if (layout) layouts.set(path, layout);
  }
  const sorted = sortPaths(paths, (path): PathVerdict<Layout['kind']> => layouts.get(path)?.kind);
  yield* inLists(leftOut(sorted));
  const counts = newCounts();
  const times = timesOf(zone);
  const directory = new Directory(counts, times);
  const pages = new SavedPages(input, commonWordsForMore);
  const all: ExportContext = { input, pages, workspace: context.workspace ?? '', times, directory, counts };
  for (const kind of ['people', 'members', 'channels'] as const)
    yield* readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: (path) => readList(path, layouts.get(path)!, all),
    });
  yield directory.othersWithMembers(sorted.of('members'));
  const { lastMessages } = directory;
  yield* readRowFiles({
    paths: sorted.of('messages'),
    context,
    read: (path) => lastMessages.reading(readMessages(path, layouts.get(path)!, all)),
  });
  if (sorted.of('messages').every(context.wants)) yield lastMessages.missing();
}
