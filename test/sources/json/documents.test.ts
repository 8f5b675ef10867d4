import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EJSON, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/decisions/decision.ts';
import { run } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { faultsIn } from '../../schemas/staged.ts';

/** An export of documents as an application makes it, and what has to arrive of it. */
interface DocumentExport {
  /** The owner's answers by key; to any other question the first option. */
  readonly answers: Readonly<Record<string, string>>;
  /** Files with a document on each line. */
  readonly lines?: readonly string[];
  /** Contents by path: a `.bson` has these documents. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly messages: readonly {
    readonly id: string;
    readonly conversation: string;
    readonly author: string;
    readonly authorName?: string;
    readonly anyName?: boolean;
    readonly kind?: string;
    readonly time: string;
    readonly text: string;
  }[];
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly private: readonly string[];
}

const exports_ = join(import.meta.dirname, 'documents');
const home = temporaryFolder();
/** Questions that an owner has the patience for. */
const questionsMax = 5;

function write(folder: string, { files, lines = [] }: DocumentExport): void {
  for (const [path, content] of Object.entries(files)) {
    const documents = content as readonly object[];
    const file = join(folder, 'export', path);
    mkdirSync(dirname(file), { recursive: true });
    if (path.endsWith('.bson'))
      writeFileSync(file, Buffer.concat(documents.map((one) => serialize(EJSON.deserialize(one) as object))));
    else
      writeFileSync(
        file,
        lines.includes(path) ? documents.map((one) => JSON.stringify(one)).join('\n') : JSON.stringify(content),
      );
  }
}

/** `init --yes` until nothing is open, each time with one answer more, which has to be on offer. */
async function ask({ answers }: DocumentExport, folder: string): Promise<readonly string[]> {
  const sets: string[] = [];
  const asked: string[] = [];
  for (;;) {
    const { stdout, stderr } = await run(
      ['init', 'export', '--yes', '--force', '--json', ...sets.flatMap((text) => ['--set', text])],
      { folder },
    );
    const line = stdout.trimEnd().split('\n').at(-1)!;
    expect(line, stderr).toMatch(/^\{/);
    const { open } = JSON.parse(line) as { readonly open: readonly Decision[] };
    const next = open.find(({ id }) => !asked.includes(id));
    if (!next) return asked;
    const offered = next.options.flatMap(({ effect }) => ('sets' in effect ? (effect.sets[next.id] ?? []) : []));
    const wanted = answers[next.id.replace(/^source\./, '')] ?? offered[0];
    expect(offered, next.id).toContain(wanted);
    asked.push(next.id);
    sets.push(`${next.id}=${wanted}`);
  }
}

describe('an export of documents, with the answers of its owner', () => {
  it.each(readdirSync(exports_))('%s arrives whole, with its people and conversations', async (file) => {
    const given = JSON.parse(readFileSync(join(exports_, file), 'utf8')) as DocumentExport;
    const folder = home.make();
    write(folder, given);
    expect((await ask(given, folder)).length).toBeLessThanOrEqual(questionsMax);
    await run(['plan', 'export', '--store', 's.db', '--report', 'report', '--quiet'], { folder });
    const nameOf = new Map(given.people.map(({ id, name }) => [id, name]));
    const faults = faultsIn(join(folder, 's.db'), {
      ...{ name: file, path: folder, right: { mapping: { source: {} }, owner: {}, inexpressible: null } },
      messages: given.messages.map(({ author, authorName, anyName, kind, ...message }) => ({
        ...{ ...message, author, isLoose: false, isSystem: kind !== undefined },
        name: anyName ? null : (nameOf.get(author) ?? authorName ?? null),
      })),
      mayArrive: () => false,
      members: new Map(Object.entries(given.members)),
      closed: new Set(given.private),
    });
    expect(faults).toEqual([]);
  });
});
