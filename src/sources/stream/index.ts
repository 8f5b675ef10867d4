import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { streamCodes } from './codes.ts';
import { readChannels } from './export-file.ts';
import { msOf } from './format.ts';
import { readItems } from './import-file.ts';
import { type Layout, readLayout } from './layout.ts';

const options = z.strictObject({
  createdAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      'When messages without "created_at" were sent, such as 2026-03-02T09:00:00Z: Stream takes the time of the import for them. Default: they are invalid.',
    ),
});

/** Stream Chat, as `format.ts` says. */
export const stream = defineSource({
  name: 'stream',
  title: 'Stream Chat (import files, exports of channels)',
  what: 'Stream Chat: exports of channels, v1 and v2, and files for its import, JSON and JSON lines: threads, quotes, reactions, files, polls',
  notes: 'items that Stream itself would refuse, reactions, ids of channels',
  sortKeys: 'always',
  options,
  codes: streamCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const types = /^(?:channel|channel_member|member|message)$/;

const marks: readonly Marks[] = [
  ...['item', 'data'].flatMap((key): Marks[] => [
    ...[['channel_type'], ['created_by', 'type'], ['channel_id', 'user']].map((keys) => ({
      objects: [
        { at: '', keys: ['type', key], values: { type: types } },
        { at: `/${key}`, keys },
      ],
    })),
    {
      objects: [
        { at: '', keys: ['type', key], values: { type: /^user$/ } },
        { at: `/${key}`, keys: ['id', 'role'] },
      ],
    },
  ]),
  {
    objects: [
      { at: '**/channel', keys: ['id', 'type', 'cid'] },
      { at: '**/messages/*', keys: ['id', 'text', 'user', 'type'] },
    ],
  },
  {
    objects: [
      { at: '/message', keys: ['id', 'cid', 'text', 'user'] },
      { at: '/message/user', keys: ['id'] },
    ],
  },
  {
    objects: [
      { at: '', keys: ['id', 'cid', 'text', 'user', 'created_at'] },
      { at: '/user', keys: ['id'] },
    ],
  },
];

async function* read(
  all: ExportInput,
  { createdAt }: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(all, expectedByName);
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  for (const path of own) {
    const layout =
      own.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(path) ? await readLayout(input, path) : undefined;
    if (layout) layouts.set(path, layout);
  }
  const sorted = sortPaths(paths, (path): PathVerdict<'rows'> => (layouts.has(path) ? 'rows' : undefined));
  yield* inLists(leftOut(sorted));
  const workspace = context.workspace ?? '';
  const createdAtMs = msOf(createdAt);
  yield* readRowFiles({
    paths: sorted.of('rows'),
    context,
    read: (path) => {
      const layout = layouts.get(path)!;
      return layout.kind === 'channels'
        ? readChannels(input, path, { at: layout.at, workspace })
        : readItems(input, path, { at: layout.at, isImport: layout.isImport, workspace, createdAtMs });
    },
  });
}
