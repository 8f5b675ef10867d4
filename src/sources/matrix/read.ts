import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, problemEntry, recordEntry } from '../kit/entries.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { fieldBehindIn } from '../kit/rows/fields-behind.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { asObject, asString, asStrings } from '../kit/narrow.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { type ExportContext, readEvents } from './event-file.ts';
import type { Content, MatrixEvent } from './format.ts';
import { type Layout, readLayout, synapsePath } from './layout.ts';
import { areDirects, Directory, directsIn } from './rooms.ts';
import { isAbout } from './system.ts';
import type { MatrixOptions } from './options.ts';

const json = /\.(?:json|jsonl|ndjson)$/i;

/** Returns whether a path is a file that Element put next to `export.json`: a file that people send may well be a list of events. */
function sentFiles(paths: readonly string[]): (path: string) => boolean {
  const existing = new Set(paths);
  return (path) => {
    const [, base] = /^(.*\/|)(?:images|videos|audio|files|stickers)\/[^/]+$/.exec(path) ?? [];
    return base !== undefined && existing.has(`${base}export.json`);
  };
}

/** Known files without messages, by path. */
const others: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:images|videos|audio|files|stickers)\/[^/]+$/, 'A file that was sent; messages name it'],
  [
    /(?:^|\/)user_data\/(?:(?:profile|devices|connections)$|account_data\/)/,
    'Settings, devices and connections of the account',
  ],
  [/(?:^|\/)media_ids\/[^/]+$/, 'Notes of the server about a file that the user sent; messages name it'],
  [
    /^(?=.* - chat export - ).*\.(?:html|txt)$|(?:^|\/)(?:messages\d*\.html|css\/style\.css|js\/script\.js)$/i,
    'The same room as a page or a text: export it as JSON',
  ],
];

/** `m.direct` of an account. */
const isAccountData = (path: string): boolean =>
  /(?:^|\/)account_data\/(?:global|m\.direct)(?:\.json)?$/.test(path) ||
  (/(?:^|\/)account_data\//.test(path) && /\/m\.direct(?:\.json)?$/.test(path));

async function arrange(input: ExportInput) {
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const layouts = new Map<string, Layout>();
  const sent = sentFiles(own);
  for (const path of own) {
    if (sent(path) || synapsePath(path) || isAccountData(path) || (own.length > 1 && !json.test(path))) continue;
    const layout = await readLayout(input, path);
    if (layout) layouts.set(path, layout);
  }
  const sorted = sortPaths(paths, (path): PathVerdict<'events' | 'state' | 'account'> => {
    const part = synapsePath(path)?.part;
    if (part === 'events' || part === 'state') return part;
    if (part !== undefined) return { skip: 'A room with only an invitation or a request to join' };
    if (isAccountData(path)) return 'account';
    const skip = others.find(([pattern]) => pattern.test(path))?.[1];
    return layouts.get(path)?.kind ?? (skip === undefined ? undefined : { skip });
  });
  return { sorted, layouts };
}

/** Events between servers follow one another, with or without a line break between them. */
const synapse: Layout = { kind: 'events', at: { layout: 'values' }, isSync: false, isAnswer: false };

export const read: ReadSource<MatrixOptions> = async function* (exported, { room }, context) {
  const input = expectFiles(exported, expectedByName);
  const { sorted, layouts } = await arrange(input);
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  const begins = await findBeginnings(input, layouts);
  const all: ExportContext = { input, workspace: context.workspace ?? '', room, begins, directory };
  for (const kind of ['account', 'state'] as const)
    yield* readSharedFiles({ paths: sorted.of(kind), context, read: (path) => readShared(path, kind, all) });
  yield* readRowFiles({
    paths: sorted.of('events'),
    context,
    read: (path) => readEvents(path, layouts.get(path) ?? synapse, all),
  });
};

/** A thousand events, which an answer has at most, are mostly less. */
const answerBytes = 4 * 1024 * 1024;

/** Returns the start tokens of `/messages` answers: one of several answers continues where another ends. */
async function findBeginnings(input: ExportInput, layouts: ReadonlyMap<string, Layout>): Promise<ReadonlySet<string>> {
  const answers = [...layouts].filter(([, { isAnswer }]) => isAnswer);
  const begins = new Set<string>();
  if (answers.length < 2) return begins;
  for (const [path] of answers) {
    const text = Buffer.from(await headOrNothing(input, path, answerBytes)).toString('latin1');
    const before = /^\s{0,20}\{[^[{]{0,3000}"start"\s{0,20}:\s{0,20}"([^"]{1,1000})"/.exec(text)?.[1];
    const begin = before ?? asString(fieldBehindIn(text, 'start'));
    if (begin !== undefined) begins.add(begin);
  }
  return begins;
}

/** Files of state, and what an account says of its rooms. */
function readShared(
  path: string,
  kind: 'account' | 'state',
  { input, directory }: ExportContext,
): AsyncGenerator<readonly Entry[]> {
  const folder = synapsePath(path)?.room;
  return readJsonEntries(input, path, synapse.at, {
    add({ value }) {
      const event = asObject<MatrixEvent>(value);
      const room = asString(event?.room_id) ?? folder;
      if (kind === 'account') directory.noteDirects(readDirects(value));
      else if (event !== undefined && room !== undefined) {
        directory.noteState(event, room);
        for (const id of [...asStrings([event.sender]), ...isAbout(event)]) directory.see(id);
      }
      return undefined;
    },
    addFault: ({ fault, location }, into) => void into.push(problemEntry(fault.code, fault.reason, location)),
    end: () => [...directory.records()].map((record) => recordEntry(record, { path })),
  });
}

/** Synapse writes `{"m.direct": {…}, …}`, or the content by itself. */
function readDirects(value: unknown): Content {
  const content = asObject<Content>(value) ?? {};
  const found = directsIn(value) ?? asObject<Content>((content as Content)['m.direct']) ?? content;
  return areDirects(found as Content) ? (found as Content) : {};
}
