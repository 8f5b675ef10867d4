import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, problemEntry } from '../kit/entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { type Marks, probeMarks } from '../kit/marks.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { teamsCodes } from './codes.ts';
import { Directory } from './directory.ts';
import { Fields } from './format.ts';
import { describeHolders } from './nested.ts';
import { type Kind, readLayout, sharedKinds } from './layout.ts';
import { mediaOf, readPersonalFile } from './personal.ts';
import { unfinishedLists } from './pages.ts';
import { readRowFile } from './row-file.ts';

/** Exports of Microsoft Teams, as `format.ts` says. */
export const teams = defineSource({
  name: 'teams',
  title: 'Microsoft Teams (Graph API, export of a tenant, personal export)',
  what: 'chats and channels of Microsoft Teams: answers of the Graph API that were saved, and exports of a whole tenant, JSON by team and user; `messages.json` of Teams Free and Skype',
  notes: 'mentions in pieces, forwarded messages, chats that occur twice',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: teamsCodes,
  probe: (input) => probeMarks(input, marks),
  read,
});

const marks: readonly Marks[] = [
  { objects: [{ at: '', keys: ['userId', 'exportDate', 'conversations'] }] },
  {
    objects: [
      {
        at: '**',
        keys: ['messageType', 'createdDateTime', 'body', 'from'],
        values: { messageType: /^(?:message|chatEvent|typing|systemEventMessage|unknownFutureValue)$/ },
      },
    ],
  },
  {
    objects: [
      {
        at: '**',
        keys: ['chatType', 'createdDateTime', 'lastUpdatedDateTime'],
        values: { chatType: /^(?:oneOnOne|group|meeting)$/ },
      },
    ],
  },
  { objects: [{ at: '**', keys: ['roles', 'visibleHistoryStartDateTime', 'userId'] }] },
  { objects: [{ at: '**', keys: ['MessageType', 'CreatedDateTime', 'Body', 'From'] }] },
  { objects: [{ at: '', keys: ['GroupsId', 'StandardChannels', 'PrivateChannels'] }] },
  {
    files: /(?:^|\/)(?:messages|channels|teamMembers)_[0-9a-f]{8}-[0-9a-f-]{27}\.json$/i,
    shows: 'the id of a team or person in its name',
  },
  {
    files: /(?:^|\/)teams\/teamsList\.json$/i,
    beside: [/(?:^|\/)users\/usersList\.json$/i],
    shows: '"usersList.json" beside it',
  },
];

async function* read(all: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(all, expectedByName);
  const { sorted, at } = await readLayout(input);
  yield* inLists(leftOut(sorted));
  const unfinished = await unfinishedLists(
    input,
    [...sharedKinds, 'rows' as const].flatMap((kind) => sorted.of(kind)),
  );
  const directory = new Directory();
  directory.noteReplyFiles(sorted.of('rows'));
  for (const kind of sharedKinds)
    yield* readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: (path) => withUnfinished(unfinished.get(path), readShared(input, path, { at: at(path), kind, directory })),
    });
  const workspace = context.workspace ?? '';
  const { lastMessages } = directory;
  const readRows = (path: string) =>
    lastMessages.reading(readRowFile(input, path, { at: at(path), directory, workspace }));
  yield* readRowFiles({
    paths: sorted.of('rows'),
    context,
    read: (path) => withUnfinished(unfinished.get(path), readRows(path)),
  });
  const readNested = (path: string) =>
    readNestedFile(input, path, { at: at(path), directory: new Directory(directory), workspace });
  yield* readRowFiles({
    paths: sorted.of('nested'),
    context,
    read: (path) => lastMessages.reading(readNested(path)),
  });
  if ([...sorted.of('rows'), ...sorted.of('nested')].every(context.wants)) yield lastMessages.missing();
  const personal = sorted.of('personal');
  if (personal.length === 0) return;
  const media = await mediaOf(input);
  yield* readRowFiles({
    paths: personal,
    context,
    read: (path) => readPersonalFile(input, path, { workspace, media }),
  });
}

async function* withUnfinished(
  entry: Entry | undefined,
  entries: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<readonly Entry[]> {
  yield* entries;
  if (entry) yield [entry];
}

/** Chats with their messages in them: described before anything of them is read. */
async function* readNestedFile(
  input: ExportInput,
  path: string,
  context: Parameters<typeof readRowFile>[2],
): AsyncGenerator<readonly Entry[]> {
  yield* describeHolders(input, path, context);
  yield* readRowFile(input, path, { ...context, isNested: true });
}

async function* readShared(
  input: ExportInput,
  path: string,
  {
    at,
    kind,
    directory,
  }: { at: JsonRowsAt; kind: Exclude<Kind, 'rows' | 'nested' | 'personal'>; directory: Directory },
): AsyncGenerator<readonly Entry[]> {
  for await (const rows of readJsonRows(input.open(path), path, at)) {
    const into: Entry[] = [];
    for (const { location, value, fault } of rows) {
      const begin = into.length;
      try {
        if (fault) into.push(problemEntry(fault.code, fault.reason, location));
        else directory.add(kind, new Fields(value), location, into);
      } catch (error) {
        leaveOutRow(error, { into, begin, location });
      }
    }
    yield into;
  }
}
