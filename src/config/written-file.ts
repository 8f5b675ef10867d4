import { constants, copyFile, readFile } from 'node:fs/promises';
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { assertText, replaceFile, replaceFileSync } from '../lib/files/atomic-file.ts';
import { UsageError } from '../lib/errors.ts';
import { yamlEntry } from '../lib/settings.ts';
import { docsLink } from '../lib/docs-link.ts';

/** Keys of `chatferry.yaml` and their values; what is undefined has its default. */
export type ConfigValues = Readonly<Record<string, ConfigValue | undefined>>;

type ConfigValue = string | readonly string[];

/** Comments of a new file about keys that are not set: an example, and when to set it. */
const examples: readonly (readonly [key: string, example: string, about: string])[] = [
  [
    'workspace',
    'acme',
    'For exports that do not name theirs. Part of the identity of every message: never change it later.',
  ],
  ['store', './chatferry.db', 'Records planned messages and their results.'],
  [
    'appId',
    '1234567890abcdef',
    'The app of the hosted service that receives the messages. Without it, they go to the sandbox next to the store.',
  ],
  ['region', 'us', 'Region of the app: us, eu or in.'],
  ['to', 'https://chat.example.com', 'Any other service of this shape, instead of an app.'],
];

export function renderConfig(values: ConfigValues): string {
  const set = Object.entries(values).filter((entry): entry is [string, ConfigValue] => entry[1] !== undefined);
  const hasDestination = values.to !== undefined || values.appId !== undefined;
  const unset = examples.filter(([key]) => values[key] === undefined && !(isDestination(key) && hasDestination));
  return [
    `# Every chatferry command that runs in this folder reads this. ${docsLink('reference/options/index')} lists the keys; a flag or a CHATFERRY_…`,
    '# variable beats them. The API key does not belong here: CHATFERRY_API_KEY or --api-key-file. After a change of this file run',
    '# chatferry trust, or name it: --config ./chatferry.yaml.',
    '',
    ...set.flatMap(([key, value]) => yamlEntry(key, value)),
    ...unset.flatMap(([key, example, about]) => ['', `# ${about}`, `# ${key}: ${example}`]),
    '',
  ].join('\n');
}

/** A value that an existing file sets differently. It stays as it is. */
export interface KeptValue {
  readonly key: string;
  readonly found: string;
  readonly wanted: string;
}

/** The text of a `chatferry.yaml` with the values that it does not have. */
export function amendConfig(
  text: string,
  values: ConfigValues,
): { readonly text: string; readonly kept: readonly KeptValue[] } {
  const document = parseDocument(text, { schema: 'failsafe' });
  const kept: KeptValue[] = [];
  const missing: [key: string, value: ConfigValue][] = [];
  const hasDestination = document.has('to') || document.has('appId');
  for (const [key, wanted] of Object.entries(values)) {
    if (wanted === undefined || (isDestination(key) && hasDestination)) continue;
    const found = textAt(document, key);
    if (found === undefined) missing.push([key, wanted]);
    else if (found !== configText(wanted)) kept.push({ key, found, wanted: configText(wanted) });
  }
  if (missing.length === 0) return { text, kept };
  if (isMap(document.contents) && document.contents.flow) {
    for (const [key, wanted] of missing) document.set(key, wanted);
    return { text: document.toString({ lineWidth: 0 }), kept };
  }
  const lines = missing.flatMap(([key, wanted]) => yamlEntry(key, wanted));
  const newline = text === '' || text.endsWith('\n') ? '' : '\n';
  return { text: `${text}${newline}${lines.join('\n')}\n`, kept };
}

function textAt(document: Document, key: string): string | undefined {
  const node: unknown = document.getIn([key], true);
  if (isScalar(node)) return String(node.value);
  return isSeq(node) ? configText(node.items.map((item) => (isScalar(item) ? String(item.value) : ''))) : undefined;
}

const configText = (value: ConfigValue): string => [value].flat().join(', ');

/** Two places to send to would be a contradiction. */
const isDestination = (key: string): boolean => ['to', 'appId', 'region'].includes(key);

/** Result of writing a file. `rest`: the content that has no room in the mapping, for reading only. */
export interface FileChange {
  readonly path: string;
  readonly how: 'new' | 'changed' | 'same' | 'replaced' | 'rest';
  /** Copy of the previous file, if it was replaced. */
  readonly backup?: string;
}

/** Called with a file and its text before that is written. */
export type BeforeWrite = (path: string, text: string) => void;

/** A file that may be there already: what it says, until something is written. */
export class InitFile {
  readonly path: string;
  /** Text to keep; undefined for a file that starts over. */
  readonly text: string | undefined;
  readonly #found: string | undefined;
  readonly #before: BeforeWrite | undefined;

  private constructor(path: string, found: string | undefined, isNew: boolean, before?: BeforeWrite) {
    this.path = path;
    this.text = isNew ? undefined : found;
    this.#found = found;
    this.#before = before;
  }

  /** @param force Starts over although the file exists. @throws UsageError if it cannot be read. */
  static async open(path: string, force: boolean, before?: BeforeWrite): Promise<InitFile> {
    return new InitFile(path, await readIfExists(path), force, before);
  }

  /**
   * Replaces the file completely or not at all; when starting over, the previous file is copied first.
   *
   * @throws UsageError, also if another process has written it since it was opened
   */
  async write(text: string): Promise<FileChange> {
    const { path } = this;
    if (text === this.text) return { path, how: 'same' };
    this.#before?.(path, text);
    const backup = this.#found !== undefined && this.text === undefined ? await backUp(path) : undefined;
    try {
      replaceFileSync(path, text, () => assertText(path, this.#found));
    } catch (error) {
      throw error instanceof UsageError ? error : cannot('write', path, error);
    }
    if (backup !== undefined) return { path, how: 'replaced', backup };
    return { path, how: this.#found === undefined ? 'new' : 'changed' };
  }
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannot('read', path, error);
  }
}

/** For one that is too large to be held. It names people, so a new one is for its owner only. @throws UsageError */
export async function writePieces(path: string, text: Iterable<string>): Promise<void> {
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw cannot('write', path, error);
  }
}

/** Copies a file to the first free name of `name.bak`, `name.2.bak`, … @returns The copy's path. @throws UsageError */
async function backUp(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${path}${number === 1 ? '' : `.${number}`}.bak`;
    try {
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannot('copy', path, error);
    }
  }
}

function cannot(what: string, path: string, cause: unknown): UsageError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new UsageError(`Cannot ${what} "${path}": ${code ?? message}`, {
    hint: 'Run it in a folder that can be written, or pass --mapping with another path',
    cause,
  });
}
