import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Comment, parseSync, type Statement } from 'oxc-parser';
import { type Pages, writePages } from './pages.ts';

/**
 * The pages of the library: every export of src/index.ts with its docstring and its declaration, as the source has them.
 *
 * TypeDoc needs the API of the TypeScript compiler, which TypeScript 7 does not have.
 */

export const libraryFolder = 'reference/library';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** Pages by the modules of their exports: the first that fits. */
const topics: readonly { readonly name: string; readonly title: string; readonly modules: RegExp }[] = [
  {
    name: 'functions',
    title: 'functions',
    modules: /^(?:commands\/(?:check|move|prepare|repair)|fetch\/.*|index)\.ts/,
  },
  {
    name: 'requests',
    title: 'what functions take',
    modules: /^(?:commands\/requests\.ts|lib\/flow\/run-controls|media\/)/,
  },
  { name: 'results', title: 'what functions return', modules: /^(?:commands\/results\.ts|report|plan|rows)/ },
  { name: 'mapping', title: 'mappings and filters', modules: /^mapping\// },
  { name: 'records', title: 'records, totals and errors', modules: /^(?:lib|model)\// },
  { name: 'sync', title: 'jobs on a schedule', modules: /^sync\// },
  { name: 'sandbox', title: 'a sandbox of the chat service', modules: /^sandbox\// },
];

/** A module with what reading it needs. */
interface Module {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Statement[];
  readonly comments: readonly Comment[];
}

interface Exported {
  readonly name: string;
  /** One of `topics`. */
  readonly topic: string;
  /** Markdown. */
  readonly text: string;
}

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text);
  const module = { path, text, body: program.body, comments };
  modules.set(path, module);
  return module;
}

/** The names that src/index.ts exports, each with the module that it names. */
function* exportsOfLibrary(): Generator<{ readonly name: string; readonly path: string }> {
  const index = moduleAt(join(src, 'index.ts'));
  for (const statement of index.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const own = statement.declaration && 'id' in statement.declaration ? statement.declaration.id : null;
    if (own && 'name' in own) yield { name: own.name, path: index.path };
    if (statement.source === null) continue;
    const path = join(src, statement.source.value);
    for (const { exported } of statement.specifiers) if ('name' in exported) yield { name: exported.name, path };
  }
}

/** Where a name is declared, by way of modules that only pass it on. @throws Error if it is nowhere. */
function declarationOf(name: string, path: string): { readonly module: Module; readonly statement: Statement } {
  const module = moduleAt(path);
  const statement = module.body.find((one) => declares(one, name));
  if (statement) return { module, statement };
  for (const one of module.body) {
    if ((one.type !== 'ExportNamedDeclaration' && one.type !== 'ImportDeclaration') || one.source === null) continue;
    const isNamed = one.specifiers.some((specifier) => {
      const local = specifier.type === 'ExportSpecifier' ? specifier.exported : specifier.local;
      return 'name' in local && local.name === name;
    });
    if (isNamed) return declarationOf(name, join(dirname(path), one.source.value));
  }
  throw new Error(`"${path}" exports "${name}", and no module declares it`);
}

function declares(statement: Statement, name: string): boolean {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared === null) return false;
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name);
  return 'id' in declared && declared.id !== null && 'name' in declared.id && declared.id.name === name;
}

function describe(name: string, path: string): Exported {
  const { module, statement } = declarationOf(name, path);
  const parts = [`## ${name}`, docstringOf(module, statement), `\`\`\`ts\n${signatureOf(module, statement)}\n\`\`\``];
  const modulePath = module.path.slice(src.length);
  const topic = topics.find((one) => one.modules.test(modulePath));
  if (topic === undefined) throw new Error(`No page has the exports of "${modulePath}"`);
  return { name, topic: topic.name, text: parts.filter((part) => part !== '').join('\n\n') };
}

/** The comment before a statement, as Markdown. */
function docstringOf({ comments, text }: Module, { start }: { readonly start: number }): string {
  const comment = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '');
  if (!comment?.value.startsWith('*')) return '';
  const lines = comment.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
  return lines
    .join('\n')
    .trim()
    .replace(/^@(\w+) ?/gm, '\n*$1*: ');
}

/** What the package's declarations leave out as well (`stripInternal`). */
const isInternal = (module: Module, member: { readonly start: number }): boolean =>
  docstringOf(module, member).includes('@internal') || docstringOf(module, member).includes('*internal*');

/** A declaration without the bodies of its functions, and without what is internal. */
function signatureOf(module: Module, statement: Statement): string {
  const { text } = module;
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration! : statement;
  const from = declared.start;
  if (declared.type === 'FunctionDeclaration') return text.slice(from, declared.body!.start).trim();
  if (declared.type === 'VariableDeclaration') {
    const { id, init } = declared.declarations[0]!;
    if (init?.type === 'ArrowFunctionExpression') return text.slice(from, init.body.start).replace(/\s*=>\s*$/, '');
    return text.slice(from, id.end);
  }
  if (declared.type === 'TSInterfaceDeclaration') {
    const { body } = declared.body;
    const members = body.map((member, index) => ({
      member,
      before: text.slice(index === 0 ? declared.body.start + 1 : body[index - 1]!.end, member.start),
    }));
    const shown = members.filter(({ member }) => !isInternal(module, member));
    const lines = shown.map(({ member, before }) => `${before}${text.slice(member.start, member.end)}`);
    return `${text.slice(from, declared.body.start)}{${lines.join('')}\n}`;
  }
  if (declared.type !== 'ClassDeclaration') return text.slice(from, declared.end);
  const members = declared.body.body.flatMap((member) => {
    if (!('key' in member) || member.key.type === 'PrivateIdentifier' || isInternal(module, member)) return [];
    if (member.type === 'PropertyDefinition')
      return [`  ${text.slice(member.start, member.value ? member.value.start : member.end).replace(/ = $/, ';')}`];
    if (member.type !== 'MethodDefinition' || !member.value.body) return [];
    return [`  ${text.slice(member.start, member.value.body.start).trim()};`];
  });
  return `${text.slice(from, declared.body.start)}{\n${members.join('\n')}\n}`;
}

export function renderLibrary(): Pages {
  const all = [...exportsOfLibrary()].map(({ name, path }) => describe(name, path));
  const pages = topics.map(({ name, title }) => {
    const exported = all.filter(({ topic }) => topic === name);
    const about = `Read this if you call Chatferry from TypeScript: ${title}.`;
    const text = [`# Library: ${title}`, about, ...exported.map((one) => one.text)].join('\n\n');
    return { path: `${libraryFolder}/${name}.md`, title, exported, text: `${text}\n` };
  });
  const rows = pages.map(({ path, title, exported }) => {
    const names = exported.map(({ name }) => `\`${name}\``).join(', ');
    return `| [${title}](${path.slice(libraryFolder.length + 1)}) | ${names} |`;
  });
  const index = [introduction, ['| for | exports |', '|---|---|', ...rows].join('\n')].join('\n\n');
  return new Map([
    [`${libraryFolder}/index.md`, `${index}\n`],
    ...pages.map(({ path, text }) => [path, text] as const),
  ]);
}

const introduction = `# Library

Read this if you call Chatferry from a program of yours instead of the command line.

\`\`\`ts
import { importExport } from 'chatferry';

const { report, exit } = await importExport({
  from: './slack-export.zip',
  to: 'sandbox',
  store: './chatferry.db',
});
\`\`\`

The package has ES modules and CommonJS, with types. \`npm run library\` writes these pages from the source.`;

if (import.meta.main) writePages(libraryFolder, renderLibrary());
