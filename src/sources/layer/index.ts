import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, invalidEntry } from '../kit/entries.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { LastMessages } from '../kit/last-messages.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { type AnswerLayout, answerLayoutOf } from '../kit/rows/answer-layout.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { reasonForPlace } from '../kit/rows/rows-inside.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { layerCodes } from './codes.ts';
import { LayerFile } from './export-file.ts';
import { type LayerKind, layerKindOf } from './format.ts';

/** Layer, as `format.ts` says. */
export const layer = defineSource({
  name: 'layer',
  title: 'Layer (exports, saved answers of the APIs, JSON)',
  what: 'Layer: exports after they were decrypted, historical and scheduled, and saved answers: parts, files, services, conversations, people',
  notes: 'how to decrypt an export, parts of a message, deletions',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: layerCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const marks: readonly Marks[] = [
  {
    objects: [
      {
        at: '**',
        keys: ['id', 'conversation', 'parts', 'sender', 'sent_at'],
        values: { id: /^layer:\/\/\/messages\// },
      },
    ],
  },
  {
    objects: [{ at: '**', keys: ['id', 'participants', 'distinct'], values: { id: /^layer:\/\/\/conversations\// } }],
  },
  { objects: [{ at: '**', keys: ['id', 'user_id'], values: { id: /^layer:\/\/\/identities\// } }] },
];

const lists = { messages: 'messages', conversations: 'conversations', identities: 'people' } as const;

async function* read(all: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(all, expectedByName);
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, AnswerLayout<LayerKind>>();
  for (const path of own) {
    const isJson = own.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(path);
    const layout = isJson ? await answerLayoutOf(input, path, { lists, kindOf: layerKindOf }) : undefined;
    if (layout) layouts.set(path, layout);
  }
  const hasMessages = (path: string) => layouts.get(path)?.kinds.has('messages') === true;
  const sorted = sortPaths(paths, (path): PathVerdict<'rows' | 'lists'> => {
    if (!layouts.has(path)) return undefined;
    return hasMessages(path) ? 'rows' : 'lists';
  });
  yield* inLists(leftOut(sorted));
  const lastMessages = new LastMessages();
  const workspace = context.workspace ?? '';
  const readFile = async function* (path: string) {
    const isNewestFirst = await beginsWithLatest(input, path);
    const file = new LayerFile({ path, workspace, hasMessages: hasMessages(path), isNewestFirst, lastMessages });
    const { at, elsewhere = [] } = layouts.get(path)!;
    yield* readJsonEntries(input, path, at, file);
    yield elsewhere.map((pointer) => invalidEntry('not-an-object', reasonForPlace(pointer), { path, pointer }));
  };
  yield* readSharedFiles({ paths: sorted.of('lists'), context, read: readFile });
  yield* readRowFiles({ paths: sorted.of('rows'), context, read: (path) => lastMessages.reading(readFile(path)) });
  if (sorted.of('rows').every(context.wants)) yield lastMessages.missing();
}

const headBytes = 64 * 1024;

/** Whether a file begins with the latest message, as answers do. */
async function beginsWithLatest(input: ExportInput, path: string): Promise<boolean> {
  const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
  const times = [...head.matchAll(/"sent_at"\s{0,9}:\s{0,9}"([^"]{10,40})"/g)].map(([, at]) => at!);
  return times.length > 1 && times[0]! > times.at(-1)!;
}
