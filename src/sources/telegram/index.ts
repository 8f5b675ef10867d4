import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { Heads, type Marks } from '../kit/marks.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/paths.ts';
import { readRowFiles } from '../kit/read-files.ts';
import { zoneSchema } from '../kit/time-reading.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { telegramCodes } from './codes.ts';
import { peerOf, telegramTypes } from './format.ts';
import { readResult } from './result-file.ts';

const options = z.strictObject({
  self: z
    .union([z.string(), z.int().positive()])
    .optional()
    .describe(
      'Your own id, such as user123: whose export it is. Default what an export of the whole account says, or who else writes in a chat of two. Set it where you never wrote in a chat.',
    ),
  zone: zoneSchema.describe(
    'Time zone of the computer that made the export, such as Europe/Berlin: exports of before 2022 say no other. Default UTC, and the report says so.',
  ),
});

/** Exports of Telegram Desktop, as `format.ts` says. */
export const telegram = defineSource({
  name: 'telegram',
  title: 'Telegram Desktop (JSON)',
  what: 'what Telegram Desktop exports as machine-readable JSON: one chat, or a whole account',
  notes: 'how to export, topics, polls, files, what is lost',
  sortKeys: 'always',
  describes: 'repeatedly',
  options,
  codes: telegramCodes,
  probe,
  read,
});

const oneChat: Marks = {
  objects: [{ at: '', keys: ['type', 'id', 'messages'], values: { type: telegramTypes } }],
};
/** A chat whose type the program did not know. */
const someChat: Marks = {
  objects: [
    { at: '', keys: ['type', 'id', 'messages'] },
    { at: '/messages/*', keys: ['id', 'type', 'date', 'from_id', 'text'], values: { type: /^(?:message|service)$/ } },
  ],
};
const account: Marks = {
  objects: [
    { at: '', keys: ['about', 'personal_information'] },
    { at: '/personal_information', keys: ['user_id'] },
  ],
};
const chats: Marks = {
  objects: [{ at: '/chats/list/*', keys: ['type', 'id', 'messages'], values: { type: telegramTypes } }],
};

async function probe(input: ExportInput): Promise<Probe> {
  const heads = new Heads(input);
  for (const marks of [oneChat, someChat, account, chats]) {
    const because = await heads.find(marks);
    if (because !== undefined) return { match: 'certain', because };
  }
  return { match: 'no' };
}

async function* read(
  input: ExportInput,
  { self, zone }: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const isAlone = withoutClutter(paths).own.length === 1;
  const sorted = sortPaths(paths, (path) => (isAlone ? 'result' : verdictOf(path)));
  yield* inLists(leftOut(sorted));
  yield* readRowFiles({
    paths: sorted.of('result'),
    context,
    read: (path) => readResult(input, path, { workspace: context.workspace ?? '', zone, self: peerOf(self) }),
  });
}

const mediaFolder =
  /(?:^|\/)(?:photos|files|video_files|voice_messages|round_video_messages|stickers|contacts|chats|profile_pictures|stories|userphotos)\//;

/** One folder may hold several exports, each in its own. */
function verdictOf(path: string): PathVerdict<'result'> {
  if (/(?:^|\/)result(?: ?\(?\d+\)?)?\.json$/.test(path)) return 'result';
  if (mediaFolder.test(path)) return { skip: 'File of a message, which names it' };
  if (/(?:^|\/)(?:css|js|images)\/[^/]+$/.test(path)) return { skip: 'Look of the pages' };
  if (/\.html$/.test(path)) return { skip: 'The same as pages; result.json is read' };
  return /^[^/]+\.json$/.test(path) ? 'result' : undefined;
}
