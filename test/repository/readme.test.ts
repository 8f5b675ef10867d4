import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { processHost } from '../../src/cli/host.ts';
import { buildProgram } from '../../src/cli/main.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

const documentation = trackedFiles()
  .filter((path) => path === 'README.md' || /^docs\/.*\.md$/.test(path))
  .map(readTracked)
  .join('\n');

/** Each command with the words that call it: `chatferry mapping test`. */
function* commandsOf(command: Command, words: string): Generator<{ words: string; command: Command }> {
  yield { words, command };
  for (const child of command.commands) yield* commandsOf(child, `${words} ${child.name()}`);
}

const commands = [...commandsOf(await buildProgram(processHost()), 'chatferry')];

/** As a word of its own: `--to` is not named by `--tone`. */
const isNamed = (words: string) => new RegExp(`(?<![\\w-])${words}(?![\\w-])`).test(documentation);

describe('README.md and docs', () => {
  it.each(commands)('name the command "$words"', ({ words }) => {
    expect(isNamed(words)).toBe(true);
  });

  it.each(commands)('name every option of "$words"', ({ command }) => {
    const flags = command.options.map(({ long, short }) => long ?? short!);
    expect(flags.filter((flag) => !isNamed(flag))).toEqual([]);
  });
});
