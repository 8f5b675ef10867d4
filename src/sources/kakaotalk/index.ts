import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { surveyOnce } from '../kit/files/together.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { readChat } from './chat-file.ts';
import { type Chat, chatFile, chatNames, isChat } from './chats.ts';
import { kakaotalkCodes } from './codes.ts';
import { KnownNames } from './known-names.ts';
import { type KakaotalkOptions, kakaotalkOptionsSchema } from './options.ts';

/** Chats that KakaoTalk exported, as `format.ts` says. */
export const kakaotalk = defineSource({
  name: 'kakaotalk',
  title: 'KakaoTalk (exported chats)',
  what: 'chats that KakaoTalk exported as text on Android, iOS and Windows, in English and Korean, and as CSV on a Mac',
  notes: 'six dialects of one chat, who came and left, files by name',
  sortKeys: 'always',
  isName: (id) => id !== 'self',
  options: kakaotalkOptionsSchema,
  codes: kakaotalkCodes,
  probe,
  read,
});

const probedMax = 6;
const mayBe = /\.(?:txt|csv)$/i;

const candidatesOf = (paths: readonly string[]): readonly string[] =>
  withoutClutter(paths).own.filter((path) => mayBe.test(path));

/** Reads the beginnings of at most six texts. */
async function probe(input: ExportInput): Promise<Probe> {
  for (const path of candidatesOf(await input.paths()).slice(0, probedMax))
    if (await isChat(input, path)) return { match: 'certain', because: `a chat of KakaoTalk in "${path}"` };
  return { match: 'no' };
}

const expected = (path: string) => (mayBe.test(path) ? expectedText : undefined);
/** As the app calls its files. */
const named = /kakaotalk/i;

async function sortedPaths(input: ExportInput) {
  const paths = await input.paths();
  const candidates = candidatesOf(paths);
  const chats = new Set<string>();
  for (const path of candidates)
    if (candidates.length === 1 || named.test(path) || (await isChat(input, path))) chats.add(path);
  return sortPaths(paths, (path) => (chats.has(path) ? 'chat' : undefined));
}

async function* read(
  exported: ExportInput,
  options: KakaotalkOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, expected);
  const sorted = await sortedPaths(input);
  yield* inLists(leftOut(sorted));
  const workspace = context.workspace ?? '';
  const names = (await namesOf(context.inputs ?? [exported], options)).get(exported.key)!;
  yield* readRowFiles({
    paths: sorted.of('chat'),
    context,
    read(path) {
      const name = names.get(path)!;
      const knownNames = new KnownNames([...options.names, options.me, name.title]);
      return readChat(input, path, { ...name, workspace, options, knownNames });
    },
  });
}

type Names = ReadonlyMap<string, ReadonlyMap<string, Omit<Chat, 'workspace' | 'options' | 'knownNames'>>>;

/** The names of the chats of all inputs that are read together, by the keys of the inputs. */
function namesOf(inputs: readonly ExportInput[], { conversation, sameName }: KakaotalkOptions): Promise<Names> {
  return surveyOnce(inputs, JSON.stringify(['kakaotalk', conversation, sameName]), async () => {
    const files: Awaited<ReturnType<typeof chatFile>>[] = [];
    for (const exported of inputs) {
      const input = expectFiles(exported, expected);
      for (const path of (await sortedPaths(input)).of('chat')) files.push(await chatFile(input, path, conversation));
    }
    const names = chatNames(inputs, files, sameName);
    const byInput = Map.groupBy(files, ({ input }) => input.key);
    return new Map(
      inputs.map(({ key }) => [key, new Map(byInput.get(key)?.map((file) => [file.path, names.get(file)!]))]),
    );
  });
}
