import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { surveyOnce } from '../kit/files/together.ts';
import type { ReadContext } from '../source.ts';
import { readChat } from './chat-file.ts';
import { type Chat, chatFile, chatNames, isChat } from './chats.ts';
import { KnownNames } from './known-names.ts';
import type { KakaotalkOptions } from './options.ts';
import { candidatesOf, mayBe } from './chats.ts';

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

export async function* read(
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
