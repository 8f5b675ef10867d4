import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { processHost } from '../../src/cli/host.ts';
import { buildProgram } from '../../src/cli/main.ts';
import { fleetSchema } from '../../src/sync/shared-settings.ts';
import { syncPartSchema } from '../../src/sync/config/job-schema.ts';
import { readTracked, root, trackedFiles } from './tracked-files.ts';

const pages = trackedFiles().filter((path) => /^docs\/guides\/(operate\/.*|cutover)\.md$/.test(path));
const files = trackedFiles().filter((path) => /^docs\/guides\/operate\/.*(?<!\.md)$/.test(path));
const program = await buildProgram(processHost());

/** Yields every command line with Chatferry in it: from a page, a unit, a crontab, a container. */
function* commandLines(path: string): Generator<string> {
  const text = readTracked(path).replaceAll('\\\n', ' ');
  for (const [, words] of text.matchAll(
    /(?:^ *|`|&& |chatferry |= *[^\n]*)(?:npx )?chatferry(?:\.mjs)? ((?!-)[a-z][^\n`|#&;>]*)/gm,
  ))
    yield words!.trim();
  for (const [, words] of text.matchAll(/chatferry\.mjs ((?!-)[a-z][^\n`|#&;>]*)/g)) yield words!.trim();
  for (const [, words] of text.matchAll(
    /(?:chatferry:0\.1\.0 |args: \[|command: \[(?=fleet|worker))((?!-)[a-z][^\n`|#&;>\]]*)/g,
  ))
    yield words!.replaceAll(',', ' ').trim();
}

const lines = [...pages, ...files].flatMap((path) => [...commandLines(path)].map((line) => ({ path, line })));

/** Returns the parts of a command line that the program does not know. */
function unknownIn(line: string): string[] {
  const [name = '', ...words] = line.split(/\s+/);
  const top = program.commands.find((one) => one.name() === name);
  if (!top) return [name];
  const command = top.commands.find((one) => one.name() === words[0]) ?? top;
  if (command === top && top.commands.length > 0) return [`${name} ${words[0]}`];
  const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]!);
  return flags.filter((flag) => !isOptionOf(command, flag));
}

const isOptionOf = (command: Command, flag: string) => command.options.some(({ long }) => long === flag);

describe('the command lines of docs/guides/operate and docs/guides/cutover.md', () => {
  it('are found in pages, units, the crontab, and the YAML of Kubernetes', () => {
    const found = (path: string) => lines.some((one) => one.path === `docs/guides/${path}`);
    const wanted = ['cutover.md', 'operate/cron.md', 'operate/docker.md', 'operate/chatferry.cron'];
    const units = ['operate/systemd/chatferry-sync.service', 'operate/systemd/chatferry-sync-once.service'];
    const fleet = ['operate/fleet.md', 'operate/fleet/compose.yaml', 'operate/fleet/kubernetes.yaml'];
    expect([...wanted, ...units, 'operate/kubernetes/cronjob.yaml', ...fleet].filter((path) => !found(path))).toEqual(
      [],
    );
    expect(lines.length).toBeGreaterThan(25);
  });

  it.each(lines)('$path: chatferry $line', ({ line }) => {
    expect(unknownIn(line)).toEqual([]);
  });

  it('would not pass with an option that does not exist', () => {
    expect(unknownIn('import export.zip --stroe x')).toEqual(['--stroe']);
    expect(unknownIn('synch --once')).toEqual(['synch']);
    expect(unknownIn('fleet pauze acme')).toEqual(['fleet pauze']);
    expect(unknownIn('fleet status --wacht')).toEqual(['--wacht']);
  });
});

describe('the links of docs/guides/operate and docs/guides/cutover.md', () => {
  const links = pages.flatMap((path) =>
    [...readTracked(path).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, to]) => ({ path, to: to! })),
  );

  it.each(links)('$path leads to $to', ({ path, to }) => {
    expect(existsSync(join(root, dirname(path), to))).toBe(true);
  });
});

describe('the configurations of docs/guides/operate and docs/guides/cutover.md', () => {
  const job = { name: 'x', export: './x', to: 'sandbox' };

  /** Checks a configuration as sync does: everything is text. Adds the parts that a page about another part leaves out. */
  const check = (text: string) => {
    const { jobs = [job], sync = {} } = parse(text, { schema: 'failsafe' });
    return syncPartSchema.safeParse({ jobs, sync }).error?.issues ?? [];
  };

  const configurations = [
    { path: 'docs/guides/operate/chatferry.yaml', text: readTracked('docs/guides/operate/chatferry.yaml') },
    ...pages.flatMap((path) =>
      [...readTracked(path).matchAll(/^```yaml\n((?:sync|jobs):[\s\S]*?)^```/gm)].map(([, text]) => ({
        path,
        text: text!,
      })),
    ),
    {
      path: 'docs/guides/operate/kubernetes/cronjob.yaml',
      text: parse(readTracked('docs/guides/operate/kubernetes/cronjob.yaml').split('---')[0]!).data[
        'chatferry.yaml'
      ] as string,
    },
  ];

  it('are found', () => expect(configurations.length).toBeGreaterThan(4));

  it.each(configurations)('can be used: $path', ({ text }) => {
    expect(check(text)).toEqual([]);
  });

  it('would not pass with a key that does not exist', () => {
    expect(check('sync: { listen: { prot: 1 } }')).not.toEqual([]);
  });
});

describe('the configurations of a fleet in docs/guides/operate', () => {
  const configMap = parse(readTracked('docs/guides/operate/fleet/kubernetes.yaml').split('---')[0]!);
  const texts = [
    readTracked('docs/guides/operate/fleet/chatferry.yaml'),
    configMap.data['chatferry.yaml'] as string,
    ...[...readTracked('docs/guides/operate/fleet.md').matchAll(/^```yaml\n(fleet:[\s\S]*?)^```/gm)].map(
      ([, text]) => text!,
    ),
  ];

  it('are found', () => expect(texts.length).toBeGreaterThan(2));

  it.each(texts)('can be used: %s', (text) => {
    const { fleet } = parse(text, { schema: 'failsafe' });
    expect(fleetSchema.safeParse(fleet).error?.issues ?? []).toEqual([]);
  });
});

it('every default that help shows is one that the option takes', () => {
  const all = (command: typeof program): (typeof program)[] => [command, ...command.commands.flatMap(all)];
  const wrong = all(program).flatMap((command) =>
    command.options
      .filter(
        ({ argChoices, defaultValue }) =>
          argChoices && defaultValue !== undefined && !argChoices.includes(String(defaultValue)),
      )
      .map(({ flags }) => `${command.name()} ${flags}`),
  );
  expect(wrong).toEqual([]);
});
