import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { surveyOnce } from '../kit/files/together.ts';
import type { ReadContext } from '../source.ts';
import { readChat } from './chat-reader.ts';
import { chatsOf, titleOf } from './chats.ts';
import type { WhatsappOptions } from './options.ts';
import { type ChatFile, type ChatName, chatNames } from './same-name.ts';

/** A chat has at least the line that it is encrypted. */
const expected = (path: string) => (/\.txt$/i.test(path) ? expectedText : undefined);

export async function* read(
  exported: ExportInput,
  options: WhatsappOptions,
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
    read: (path) => readChat(input, path, { ...names.get(path)!, workspace, options }),
  });
}

async function sortedPaths(input: ExportInput) {
  const chats = await chatsOf(input);
  const folders = [...new Set([...chats].map((chat) => chat.slice(0, chat.lastIndexOf('/') + 1)))];
  return sortPaths(await input.paths(), (path) => {
    if (chats.has(path)) return 'chat';
    const isSibling = folders.some((folder) => path.startsWith(folder));
    return isSibling ? { skip: 'Exported next to a chat; attached to the message that names it' } : undefined;
  });
}

/** By the keys of the inputs, and the paths in each. */
type NamesByInput = ReadonlyMap<string, ReadonlyMap<string, ChatName>>;

/** The names of the chats of all inputs that are read together. */
function namesOf(inputs: readonly ExportInput[], { conversation, sameName }: WhatsappOptions): Promise<NamesByInput> {
  return surveyOnce(inputs, JSON.stringify(['whatsapp', conversation, sameName]), async () => {
    const files: ChatFile[] = [];
    for (const exported of inputs) {
      const input = expectFiles(exported, expected);
      for (const path of (await sortedPaths(input)).of('chat'))
        files.push({ input, path, title: titleOf(input, path, conversation) });
    }
    const names = await chatNames(inputs, files, sameName);
    const byInput = Map.groupBy(files, ({ input }) => input.key);
    return new Map(
      inputs.map(({ key }) => [key, new Map(byInput.get(key)?.map((file) => [file.path, names.get(file)!]))]),
    );
  });
}
