import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { start } from '../cli/in-process.ts';
import { root } from './tracked-files.ts';

/** A block of a tutorial: commands as a reader pastes them, or lines that they print. */
interface Block {
  readonly language: 'sh' | 'text';
  readonly text: string;
}

const tutorials = globSync('docs/tutorials/*.md', { cwd: root })
  .filter((path) => basename(path) !== 'index.md')
  .sort();

function blocksOf(path: string): Block[] {
  const blocks = readFileSync(join(root, path), 'utf8').matchAll(/^```(sh|text)\n([\s\S]*?)\n```$/gm);
  return [...blocks].map(([, language, text]) => ({ language: language as Block['language'], text: text! }));
}

/** A folder like a checkout: samples and mappings, and nothing that a run writes. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-tutorial-'));
  for (const path of ['samples', 'mappings']) symlinkSync(join(root, path), join(folder, path));
  return folder;
}

/** What a shell makes of a command: words, single quotes, continued lines. */
const wordsOf = (command: string) =>
  [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);

/** Runs a block and returns what it printed. @throws the output of the first command that does not end with 0. */
async function run(text: string, folder: string): Promise<string> {
  const written = /^cat > (\S+) <<'YAML'\n([\s\S]*\n)YAML$/.exec(text);
  if (written) writeFileSync(join(folder, written[1]!), written[2]!);
  let printed = '';
  for (const command of written ? [] : text.replaceAll('\\\n', ' ').split('\n')) {
    printed += await runCommand(wordsOf(command), folder);
  }
  return printed;
}

/** `npx chatferry` in the process of the test, and of a shell the two commands that tutorials need. */
async function runCommand([name, ...args]: readonly string[], folder: string): Promise<string> {
  if (name === 'ls') return readdirSync(join(folder, args[0]!)).join('\n');
  if (name === 'cp') {
    copyFileSync(join(folder, args[0]!), join(folder, args[1]!));
    return '';
  }
  expect([name, args[0]]).toEqual(['npx', 'chatferry']);
  const [words, said = 0] = args.at(-4) === '#' ? [args.slice(1, -4), Number(args.at(-1))] : [args.slice(1)];
  const { code, stdout, stderr } = await start(words, { folder }).ended;
  expect(code, `${args.join(' ')}\n${stdout}${stderr}`).toBe(said);
  return stdout;
}

describe('the tutorial', () => {
  it('is there for each kind of migration', () => {
    const kinds = ['another-provider', 'family-archive', 'help-desk', 'intercom', 'slack', 'twilio', 'your-database'];
    expect(tutorials).toEqual(kinds.map((kind) => join('docs/tutorials', `${kind}.md`)));
  });

  describe.each(tutorials)('%s', (path) => {
    const folder = checkout();
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('runs as written, and prints what it shows', async () => {
      let printed = '';
      for (const { language, text } of blocksOf(path)) {
        if (language === 'sh') printed = await run(text, folder);
        else for (const line of text.split('\n')) expect(printed.split('\n')).toContain(line);
      }
      expect(existsSync(join(folder, 'chatferry.report/report.html'))).toBe(true);
    });
  });
});
