import type { ExportInput } from '../../io/input/export-input.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import { countOf } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { inLists, partialEntry, problemEntry } from '../kit/entries.ts';
import { expectedByName, expectFiles } from '../kit/files/expected-files.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter, findWrapper } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readAnsweredMessages, workspaceIn } from './answer-file.ts';
import { answerKinds, readAnsweredList, type ZulipAnswerLayout, zulipAnswerIn } from './answer-lists.ts';
import { AnswerPages } from './answer-pages.ts';
import { answerReading } from './answer-row.ts';
import { Directory } from './directory.ts';
import { type ExportContext, readMessages } from './message-file.ts';
import { Reactions } from './reactions.ts';
import { readShared } from './realm-file.ts';
import { exportReading, type RowReading } from './row-reading.ts';
import { inMessages, type MessageRows, Topics } from './topics.ts';

interface ZulipOptions {
  readonly topics: 'threads' | 'labels';
}

const messages = /^messages-\d{1,20}\.json$/;

const unfinished = /^messages-\d{1,20}\.json\.(?:partial|locked)$/;

async function arrange(input: ExportInput) {
  const paths = await input.paths();
  const { own } = withoutClutter(paths);
  const isTelling = (path: string) =>
    path === 'realm.json' || path === 'user.json' || messages.test(path) || unfinished.test(path);
  const base = findWrapper(own, isTelling) ?? '';
  const all = new Set(own);
  const answers = await answersIn(input, own.some((path) => /(?:^|\/)(?:realm|user)\.json$/.test(path)) ? [] : own);
  const sorted = sortPaths(paths, (path): PathVerdict<Role> => {
    const kinds = answers.get(path)?.kinds;
    if (kinds) return kinds.has('messages') ? 'answers' : answerKinds.find((kind) => kinds.has(kind));
    if (!path.startsWith(base)) return undefined;
    const name = path.slice(base.length);
    if (name === 'realm.json' || name === 'user.json') return 'realm';
    if (name === 'attachment.json') return 'uploads';
    if (unfinished.test(name) && all.has(path.replace(/\.[a-z]+$/, '')))
      return { skip: 'The same file was finished after it' };
    // A file that was passed alone may be called anything.
    if (own.length === 1 || messages.test(name) || unfinished.test(name)) return 'messages';
    return reasonToSkip(name);
  });
  return { sorted, base, answers };
}

type Role = 'realm' | 'uploads' | 'messages' | 'answers' | (typeof answerKinds)[number];

/** Answers of the API, by their paths: an export of the server has files of JSON that are not searched for any. */
async function answersIn(
  input: ExportInput,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ZulipAnswerLayout>> {
  const found = new Map<string, ZulipAnswerLayout>();
  for (const path of paths) {
    if (paths.length > 1 && !/\.(?:json|jsonl|ndjson)$/i.test(path)) continue;
    const layout = await zulipAnswerIn(input, path);
    if (layout) found.set(path, layout);
  }
  return found;
}

function reasonToSkip(name: string): { readonly skip: string } | undefined {
  if (name.startsWith('uploads/')) return { skip: 'A file that was sent, or the list of them; messages name it' };
  if (/^(?:avatars|emoji|realm_icons)\//.test(name)) return { skip: 'Pictures of people and of the organisation' };
  return /^(?:migration_status|consented_user_ids|analytics|stats|export_report)\.(?:json|txt)$/.test(name)
    ? { skip: 'Notes of the export about itself, and statistics' }
    : undefined;
}

export const read: ReadSource<ZulipOptions> = async function* (exported, options, context) {
  const input = expectFiles(exported, expectedByName);
  const { sorted, base, answers } = await arrange(input);
  yield* inLists(leftOut(sorted));
  const counts = new CountedProblems('profile-detail-not-migrated', 'zulip-not-migrated');
  const directory = new Directory(counts);
  const facts = { directory, reactions: new Reactions(), uploads: new PackedMap(), counts };
  const shared = [...sorted.of('realm'), ...sorted.of('uploads')];
  yield* readSharedFiles({ paths: shared, context, read: (path) => readShared(input, path, facts) });
  for (const kind of answerKinds)
    yield* readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: (path) => readAnsweredList(input, path, answers.get(path)!.at, facts),
    });
  const files = await localFiles(input, base);
  const paths = sorted.of('messages');
  const { signal } = context;
  const readTopics = (found: readonly MessageRows[], reading: RowReading) =>
    options.topics === 'threads' && context.isIncrement !== true && found.some(({ path }) => context.wants(path))
      ? Topics.of(input, { files: found, reading, signal })
      : undefined;
  const answered = sorted.of('answers').map((path) => ({ path, at: answers.get(path)!.at }));
  if (answered.some(({ path }) => context.wants(path))) {
    const workspace = (await workspaceIn(input, answered, directory)) ?? context.workspace ?? '';
    const reading = answerReading(directory, workspace);
    const pages = new AnswerPages(input);
    const all = { input, workspace, directory, reading, files, pages, topics: await readTopics(answered, reading) };
    if (context.isIncrement && options.topics === 'threads' && context.wants(answered[0]!.path))
      yield [topicsAsLabels(answered[0]!.path)];
    const read = (path: string) => readAnsweredMessages(path, answers.get(path)!.at, all);
    yield* readRowFiles({ paths: sorted.of('answers'), context, read });
  }
  const rows = paths.map((path) => ({ path, at: inMessages }));
  const topics = await readTopics(rows, exportReading(directory, []));
  const all: ExportContext = { ...facts, input, workspace: context.workspace ?? '', files, topics };
  const gaps = gapsBefore(paths);
  yield* readRowFiles({
    paths,
    context,
    read: async function* (path) {
      const missing = gaps.get(path);
      if (missing !== undefined) yield [missing];
      yield* readMessages(path, all);
    },
  });
};

const topicsAsLabels = (path: string): Entry =>
  problemEntry(
    'zulip-topics-as-labels',
    'One of a series of fetches: the first message of a topic may be in another one, so topics are no threads',
    { path },
  );

/** Files of messages are numbered from 1 on: what is said of those before which some are missing. */
function gapsBefore(paths: readonly string[]): ReadonlyMap<string, Entry> {
  const gaps = new Map<string, Entry>();
  let last = 0;
  const numbered = paths.map((path) => ({ path, number: Number(/messages-(\d{1,15})\.json/.exec(path)?.[1]) }));
  for (const { path, number } of numbered.filter((one) => one.number > 0).sort((a, b) => a.number - b.number)) {
    const missing = number - last - 1;
    const reason = `Files of messages are numbered, and ${countOf(missing, 'file')} before this one ${missing === 1 ? 'is' : 'are'} missing`;
    if (missing > 0) gaps.set(path, partialEntry(reason, { path }, missing));
    last = number;
  }
  return gaps;
}
