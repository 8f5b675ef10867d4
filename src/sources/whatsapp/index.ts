import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { surveyOnce } from '../kit/files/together.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { readChat } from './chat-reader.ts';
import { chatsOf, isNamedChat, messagesAtStart, titleOf } from './chats.ts';
import { whatsappCodes } from './codes.ts';
import { type WhatsappOptions, whatsappOptionsSchema } from './options.ts';
import { type ChatFile, type ChatName, chatNames } from './same-name.ts';

/** Chats that phones exported as text, as `format.ts` says. */
export const whatsapp = defineSource({
  name: 'whatsapp',
  title: 'WhatsApp ("Export chat")',
  what: 'chats that Android or iOS exported as text, with or without media; ZIP, folder, or single files',
  notes: 'dates of every region, words of fifty languages, files, chats of two',
  sortKeys: 'always',
  isName: (id) => !/^[+\d\s().\u2010-\u2015-]+$/.test(id),
  options: whatsappOptionsSchema,
  codes: whatsappCodes,
  probe,
  read,
});

/** Reads the beginnings of at most six texts. */
async function probe(input: ExportInput): Promise<Probe> {
  const texts = (await input.paths()).filter((path) => /\.txt$/i.test(path));
  const named = texts.filter(isNamedChat);
  for (const path of [...named, ...texts.filter((text) => !isNamedChat(text))].slice(0, 6)) {
    const count = await messagesAtStart(input, path);
    if (count === 0 || (count === 1 && !isNamedChat(path))) continue;
    return { match: 'certain', because: `messages of a WhatsApp chat in "${path}"` };
  }
  return { match: 'no' };
}

/** A chat has at least the line that it is encrypted. */
const expected = (path: string) => (/\.txt$/i.test(path) ? expectedText : undefined);

async function* read(
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
