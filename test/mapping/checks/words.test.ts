import { describe, expect, it } from 'vitest';
import { catalogue, leftOutByDefault, peopleChoices } from '../../../src/mapping/checks.ts';
import { parseRules } from '../../../src/mapping/load.ts';
import type { Option } from '../../../src/model/option.ts';
import { sources } from '../../../src/sources/registry.ts';
import { merged, parseSettings, type Settings } from '../../../src/lib/settings.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const asked = [
  ...catalogue().flatMap((check) => {
    const { question, options } = check.severity === 'decision' ? check : (check.asked ?? {});
    return question === undefined ? [] : [{ code: check.code, question, options: options! }];
  }),
  ...leftOutByDefault,
  ...peopleChoices,
].map((one) => [one.code, one] as const);

/** Words with which an option may begin. */
const verbs = new Set(
  `Ask Copy Count Create Cut Delete Describe Export Fetch Give Import Join Keep Leave Let Look Make Move Name Plan Put Read Send Show Split
   Take Translate Treat Turn Use Withdraw Write Add Close Correct Save`.split(/\s+/),
);

/** A key of a mapping, a code, a setting. */
const notForPeople = /`|=|\b(?:source|messages|people|conversations|files)\.\w|--\w/;

/** Without it, tables have nothing to read. */
const tables = {
  messages: {
    ...{ conversation: 'room', author: 'who', text: { from: 'body' } },
    time: { from: 'at', format: 'unix-s' },
  },
  users: { id: 'id' },
  conversations: { id: 'id' },
};

const bases = [
  tables,
  { messages: tables.messages },
  { ...tables, tables: { messages: { table: 'm' } } },
  { ...tables, tables: { messages: { file: 'm' } } },
];

const settingsOf = ({ effect }: Option): readonly (readonly [key: string, value: string])[] =>
  'sets' in effect ? Object.entries(effect.sets) : 'asks' in effect ? [[effect.asks, effect.example]] : [];

describe.each(asked)('what is asked about %s', (code, { question, options }) => {
  it('is a sentence for the owner of the data, with options that begin with a verb', () => {
    expect(question).toMatch(/^[A-Z].*\?$/);
    expect(question).not.toMatch(notForPeople);
    for (const { does } of options) {
      expect(verbs).toContain(does.split(/[ ,]/, 1)[0]);
      expect(does).not.toMatch(/\.$/);
      expect(does).not.toMatch(notForPeople);
    }
    expect(new Set(options.map(({ does }) => does)).size).toBe(options.length);
  });

  it('has an option that does something, and settings that the mapping takes', () => {
    expect(options.some(({ effect }) => !('outside' in effect))).toBe(true);
    for (const [key, value] of options.flatMap(settingsOf)) {
      const settings = parseSettings([`${key}=${value}`]);
      parseRules(JSON.stringify(withNeighbours(settings)), code);
      const { source } = settings as { readonly source?: Settings };
      if (source === undefined) continue;
      const own = sources.filter(
        ({ codes = [], name }) => codes.some((one) => one.code === code) || ['csv', 'json', 'database'].includes(name),
      );
      const isAccepted = own.some((adapter) =>
        [source, ...bases.map((base) => merged(base, source))].some(
          (options) => adapter.options.safeParse(options).success,
        ),
      );
      expect(isAccepted, `${key}=${value}`).toBe(true);
    }
  });
});

/** A table of uids is only taken whole. */
function withNeighbours(settings: Settings): Settings {
  const lookup = { file: 'people.csv', id: 'id', uid: 'uid' };
  return JSON.stringify(settings).includes('"lookup"') ? merged({ people: { lookup } }, settings) : settings;
}

const folder = temporaryFolder();

it('chatferry checks CODE prints the settings of its options, and has them in JSON', async () => {
  const where = { folder: folder.make() };
  const { stdout } = await run(['checks', 'message-only-file'], where);
  expect(stdout).toMatch(/ init EXPORT --set messages\.onlyFiles=blank --set messages\.empty=skip\n/);
  const { json } = await runJson(['checks', 'private-note'], where);
  expect(json).toMatchObject({
    checks: [
      {
        options: [
          { does: 'Leave these messages out', effect: { sets: { 'messages.restricted': 'skip' } } },
          { effect: { sets: { 'messages.restricted': 'keep' } } },
        ],
      },
    ],
  });
});
