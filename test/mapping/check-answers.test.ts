import { expect, it } from 'vitest';
import { catalogue, answersTo, findOwnValue, remediesFor } from '../../src/mapping/checks.ts';
import { parseRules } from '../../src/mapping/load.ts';
import { merged, parseSettings, type Settings } from '../../src/lib/settings.ts';
import { run, runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { sources } from '../../src/sources/registry.ts';

const answered = catalogue.filter(({ code }) => answersTo(code).length > 0);
/** Without it, tables have nothing to read. */
const messages = {
  conversation: 'room',
  author: 'who',
  time: { from: 'at', format: 'unix-s' },
  text: { from: 'body' },
};

it('answersTo() knows checks that there are, and no name of a prototype', () => {
  // As many as the table has: another number means a code in it that no check has.
  expect(answered.length).toBe(19);
  for (const name of ['constructor', '__proto__', 'no-such-check']) expect(answersTo(name)).toEqual([]);
});

it.each(answered.map((check) => [check.code, check] as const))(
  'answersTo(%j) are options of it that the mapping accepts',
  (code, check) => {
    if (check.severity !== 'decision') throw new Error(`${code} asks for no decision`);
    const options = answersTo(code).map(({ option }) => option);
    expect(options).toEqual(options.toSorted());
    for (const { option, sets } of answersTo(code)) {
      const said = check.options[option]!;
      for (const [key, value] of sets) {
        // The words of the option name the value, and the last part of the key at least, unless they are those of the default.
        if (option > 0) expect(said).toMatch(new RegExp(`${value}|text name them`));
        const settings = parseSettings([`${key}=${value}`]);
        parseRules(JSON.stringify(settings), code);
        const { source } = settings as { readonly source?: Settings };
        if (source === undefined) continue;
        const own = sources.filter(({ codes = [], name }) => codes.some((one) => one.code === code) || name === 'csv');
        const isAccepted = own.some(
          (adapter) =>
            adapter.options.safeParse(source).success ||
            adapter.options.safeParse(merged({ messages }, source)).success,
        );
        expect(isAccepted, `${key}=${value}`).toBe(true);
      }
    }
  },
);

it('findOwnValue() names keys that the words of an option name, with a value that the mapping accepts', () => {
  const asking = catalogue.flatMap((check) => {
    const own = findOwnValue(check.code);
    return own === undefined ? [] : [{ check, own }];
  });
  expect(asking.length).toBe(2);
  for (const { check, own } of asking) {
    parseRules(JSON.stringify(parseSettings([`${own.key}=${own.example}`])), check.code);
    expect(check.severity === 'decision' && check.options[own.option]).toContain(own.key);
    expect(answersTo(check.code).map(({ option }) => option)).not.toContain(own.option);
  }
});

const remedied = catalogue.filter(({ code }) => remediesFor(code).length > 0);

it('remediesFor() are settings that the words of a blocking check name', () => {
  expect(remedied.length).toBe(5);
  for (const check of remedied) {
    for (const [key, value] of remediesFor(check.code)) {
      parseRules(JSON.stringify(parseSettings([`${key}=${value}`])), check.code);
      expect(check.severity === 'decision' ? '' : check.remedy).toMatch(new RegExp(`${key}: .*${value}`));
    }
  }
});

const folder = temporaryFolder();

it('chatferry checks CODE prints the settings of its options, and has them in JSON', async () => {
  const where = { folder: folder.make() };
  const { stdout } = await run(['checks', 'message-only-file'], where);
  expect(stdout).toMatch(
    /messages\.empty: skip\)\.\n.* init EXPORT --set messages\.onlyFiles=blank --set messages\.empty=skip\n/,
  );
  const { json } = await runJson(['checks', 'deleted-with-text'], where);
  expect(json).toMatchObject({
    checks: [
      {
        answers: [
          { option: 0, sets: { 'messages.deleted': 'skip' } },
          { option: 1, sets: { 'messages.deleted': 'keep' } },
        ],
      },
    ],
  });
});
