import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { surveyOnce } from '../kit/files/together.ts';
import { firstOfClass, readHtmlElements, wordsIn } from '../kit/text/html-elements.ts';
import { isPageName, numberIn } from './format.ts';

/** Numbers by the name of a contact. Memory: some 200 bytes for each name. */
export type Names = ReadonlyMap<string, ReadonlySet<string>>;

const headBytes = 16 * 1024;

/** Names from the beginnings of all pages: only made if a page has a name and no number. */
export const namesIn = (inputs: readonly ExportInput[]): Promise<Names> =>
  surveyOnce(inputs, 'googlevoice', async () => {
    const names = new Map<string, Set<string>>();
    for (const input of inputs)
      for (const path of await input.paths()) if (isPageName(path)) await addNames(input, path, names);
    return names;
  });

async function addNames(input: ExportInput, path: string, names: Map<string, Set<string>>): Promise<void> {
  const head = await headOrNothing(input, path, headBytes);
  const isTel = (name: string, { class: kind = '' }) => name === 'a' && kind === 'tel';
  for await (const found of readHtmlElements(only(head), isTel))
    for (const { element } of found) {
      const shown = firstOfClass(element, 'fn');
      const [name, number] = [wordsIn(shown), numberIn(element)];
      if (shown?.name !== 'span' || name === '' || number === '') continue;
      names.set(name, (names.get(name) ?? new Set()).add(number));
    }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
