import { describe, expect, it } from 'vitest';
import { commandLine } from '../../src/desk/runs/command-lines.ts';

/** The words of a command line, as a shell takes it apart. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, inside, escaped) => inside ?? escaped),
  );

describe('commandLine()', () => {
  it.each([
    ['a path', ['export.zip'], []],
    ["a path with spaces, quotes and $HOME's like", ["it's $HOME here.zip", 'two "words"'], []],
    ['flags', ['export'], ['--source', 'slack', '--config', 'my file.yaml']],
    ['a path that looks like a flag', ['--all'], ['--source', 'slack']],
  ])('gives a text that a shell takes as what is run: %s', (_, exports, flags) => {
    const { args, text } = commandLine('inspect', { programName: 'npx chatferry', exports, flags });
    expect(wordsOf(text)).toEqual(['npx', 'chatferry', ...args]);
    expect(args).toEqual(expect.arrayContaining(['inspect', ...flags, ...exports]));
  });

  it('names the export after a mark if it looks like a flag', () => {
    const { text } = commandLine('plan', { programName: 'chatferry', exports: ['-x.zip'], flags: ['--source', 'irc'] });
    expect(text).toBe('chatferry plan --source irc -- -x.zip');
  });
});
