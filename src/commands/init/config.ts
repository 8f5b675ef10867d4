import { isMap, isScalar, parseDocument } from 'yaml';
import { yamlEntry } from './settings.ts';

/** Keys of `chatferry.yaml` and their values; what is undefined has its default. */
export type ConfigValues = Readonly<Record<string, string | undefined>>;

/** What a new file says about keys that nobody has set: an example, and when to set it. */
const examples: readonly (readonly [key: string, example: string, about: string])[] = [
  [
    'workspace',
    'acme',
    'For exports that do not name theirs. Part of the identity of every message: never change it later.',
  ],
  ['store', './chatferry.db', 'What is planned, and what became of it.'],
  ['to', 'https://chat.example.com', 'Where messages go. Without it: into the sandbox beside the store.'],
];

/** A new `chatferry.yaml`. */
export function renderConfig(values: ConfigValues): string {
  const set = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const unset = examples.filter(([key]) => values[key] === undefined && !(key === 'to' && values.appId !== undefined));
  return [
    '# Every chatferry command that runs in this folder reads this. docs/options.md lists the keys; a flag or a CHATFERRY_…',
    '# variable beats them. The API key does not belong here: CHATFERRY_API_KEY or --api-key-file.',
    '',
    ...set.flatMap(([key, value]) => yamlEntry(key, value)),
    ...unset.flatMap(([key, example, about]) => ['', `# ${about}`, `# ${key}: ${example}`]),
    '',
  ].join('\n');
}

/** What a file says otherwise. It stays as it is. */
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
  const missing: [key: string, value: string][] = [];
  const hasDestination = document.has('to') || document.has('appId');
  for (const [key, wanted] of Object.entries(values)) {
    if (wanted === undefined || (isDestination(key) && hasDestination)) continue;
    const node: unknown = document.getIn([key], true);
    const found = isScalar(node) ? String(node.value) : undefined;
    if (found === undefined) missing.push([key, wanted]);
    else if (found !== wanted) kept.push({ key, found, wanted });
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

/** Two places to send to would be a contradiction. */
const isDestination = (key: string): boolean => ['to', 'appId', 'region'].includes(key);
