import { describe, expect, it } from 'vitest';
import { optionDefaults } from '../../src/config/options.ts';
import { type CommandFacts, commandLine } from '../../src/desk/runs/command-lines.ts';

/** The words of a command line, as a shell takes it apart. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, inside, escaped) => inside ?? escaped),
  );

const facts = (changed: Partial<CommandFacts> = {}): CommandFacts => ({
  programName: 'npx chatferry',
  flags: {},
  exports: ['export.zip'],
  named: [],
  options: optionDefaults,
  paths: {
    config: 'chatferry.yaml',
    mapping: 'chatferry.mapping.yaml',
    store: './chatferry.db',
    rehearsal: './chatferry.rehearsal.db',
    people: 'chatferry.people.csv',
    decisions: './chatferry.decisions.json',
  },
  ...changed,
});

const app = { ...optionDefaults, appId: '0123', region: 'eu' as const };
const all = ['inspect', 'init', 'plan', 'people', 'rehearse', 'report', 'doctor', 'import', 'verify', 'undo'] as const;

describe('commandLine()', () => {
  it.each([
    ['a path', ['export.zip'], {}],
    ["a path with spaces, quotes and $HOME's like", ["it's $HOME here.zip", 'two "words"'], {}],
    ['flags', ['export'], { source: 'slack', config: 'my file.yaml' }],
    ['a path that looks like a flag', ['--all'], { source: 'slack' }],
  ])('gives a text that a shell takes as what is run: %s', (_, exports, flags) => {
    for (const name of all) {
      const { args, text } = commandLine(name, facts({ exports, named: exports, flags, options: app }));
      expect(wordsOf(text)).toEqual(['npx', 'chatferry', ...args]);
    }
  });

  it('names the export after a mark if it looks like a flag', () => {
    const { text } = commandLine('plan', facts({ named: ['-x.zip'], flags: { source: 'irc' } }));
    expect(text).toBe('npx chatferry plan --source irc -- -x.zip');
  });

  it('names no export where the configuration does, except to commands that take none from there', () => {
    const lines = (['inspect', 'plan', 'rehearse'] as const).map((name) => commandLine(name, facts()).text);
    expect(lines).toEqual([
      'npx chatferry inspect export.zip',
      'npx chatferry plan',
      'npx chatferry import --store ./chatferry.rehearsal.db --to sandbox --yes',
    ]);
  });

  it('gives each command the options of the desk that it knows', () => {
    const flags = { source: 'slack', workspace: 'T1', mapping: 'm.yaml', config: 'c.yaml' };
    const given = all.map((name) => [name, commandLine(name, facts({ flags, options: app })).args.length]);
    expect(Object.fromEntries(given)).toMatchObject({ verify: 7, undo: 8, report: 3 });
    expect(commandLine('doctor', facts({ flags, options: app })).text).toBe(
      'npx chatferry doctor --source slack --mapping m.yaml --config c.yaml --app-id 0123 --region eu',
    );
  });

  it('names the destination, so that the key may be sent there', () => {
    expect(commandLine('import', facts({ options: app })).text).toBe(
      'npx chatferry import --app-id 0123 --region eu --yes',
    );
    const to = { ...optionDefaults, to: 'https://chat.example.com' };
    expect(commandLine('verify', facts({ options: to }), { repair: true }).text).toBe(
      'npx chatferry verify --to https://chat.example.com --repair --yes',
    );
    expect(commandLine('undo', facts({ options: to }), { isDry: true }).text).toBe(
      'npx chatferry undo --to https://chat.example.com --dry-run',
    );
  });

  it('imports nowhere as long as no destination is named', () => {
    for (const options of [optionDefaults, { ...optionDefaults, to: 'sandbox' }])
      expect(() => commandLine('import', facts({ options }))).toThrow('no destination is named');
  });

  it('plans for the destination although the configuration rehearses for another', () => {
    const options = { ...app, rehearseFor: 'hosted' };
    expect(commandLine('plan', facts({ options })).text).toBe('npx chatferry plan --app-id 0123 --region eu');
  });

  it('has reports written as JSON, and keeps that of the plan from a rehearsal', () => {
    const options = { ...app, report: 'out', format: ['html'] as const };
    expect(commandLine('plan', facts({ options })).text).toBe("npx chatferry plan --format 'html,json'");
    expect(commandLine('rehearse', facts({ options })).text).toContain('--report ./chatferry.rehearsal.report');
  });
});
