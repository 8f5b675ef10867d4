import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/tracked-files.ts';

interface UserProject {
  /** `type` of its package.json. */
  readonly type: 'commonjs' | 'module';
  /** The compiler's option. */
  readonly module: 'node16' | 'nodenext';
}

export const userProjects: readonly UserProject[] = (['commonjs', 'module'] as const).flatMap((type) =>
  (['node16', 'nodenext'] as const).map((module) => ({ type, module })),
);

/** Arguments of `node` that run the repository's compiler with no other types than those of Node. */
export const compiler = (module: UserProject['module'], ...options: readonly string[]): readonly string[] => [
  join(root, 'node_modules/typescript/bin/tsc'),
  ...['--ignoreConfig', '--strict', '--target', 'es2024', '--module', module],
  ...['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
  ...options,
];

/** A finished import, and one that is refused with a key that is a text. Prints one line. */
const programOf = (name: string) => `
import { ChatferryError, importExport, type Outcome, Secret, UsageError } from 'chatferry';

const from = '${name}/tea.ndjson';

async function main(): Promise<void> {
  const { exit }: Outcome = await importExport({ from, to: 'sandbox', store: '${name}/chatferry.db' });
  const refused = { from, to: 'ftp://example.com', store: '${name}/other.db', apiKey: 'k3y' };
  const error: unknown = await importExport(refused).catch((error: unknown) => error);
  const name = error instanceof ChatferryError && error instanceof UsageError ? error.name : String(error);
  console.log(\`exit \${exit}, \${name}, \${new Secret('k3y')}\`);
}

void main();
`;

const records = [
  { kind: 'chatferry', version: 1 },
  { kind: 'user', id: '1', name: 'Mina' },
  { kind: 'conversation', id: 'tea', type: 'private', name: 'Tea round', members: ['1'] },
  {
    kind: 'message',
    origin: { source: 'tea-app', workspace: '', conversation: 'tea', id: 'm1' },
    ...{ sortKey: '', sentAtMs: 1704103200000, author: '1', text: 'Who wants tea?' },
  },
];

/**
 * Writes a small project with one source file below the folder in which the package is installed.
 *
 * @returns Paths from `folder`, and the arguments of `node` that compile `sourcePath` to `programPath`.
 */
export function writeUserProject(folder: string, { type, module }: UserProject) {
  const name = `${type}-${module}`;
  const file = (path: string) => join(folder, name, path);
  mkdirSync(file('.'));
  writeFileSync(file('package.json'), JSON.stringify({ private: true, type }));
  writeFileSync(file('user.ts'), programOf(name));
  writeFileSync(file('tea.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return { sourcePath: `${name}/user.ts`, programPath: `${name}/user.js`, compile: compiler(module) };
}
