import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { loadOptions } from '../../src/config/load-options.ts';
import { loadSyncFile } from '../../src/sync/sync-file.ts';
import { publicBaseUrl } from '../../src/service/profiles.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

function fileOf(text: string): string {
  const path = join(home.make(), 'chatferry.yaml');
  writeFileSync(path, text);
  return path;
}

const load = (text: string, env: Readonly<Record<string, string>> = {}) =>
  loadSyncFile({ flags: {}, env, configPath: fileOf(text) });

const oneJob = (rest: string) => `jobs:\n  - name: support\n    to: sandbox\n    export: ./export\n${rest}`;

describe('loadSyncFile()', () => {
  it('knows every key, and gives the others their defaults', () => {
    const { jobs, sync } = load(
      `
rate: 60
sync: { state: ./state.db }
jobs:
  - name: support
    appId: abc
    region: eu
    export: { url: 'https://example.com/export.zip?token=1', headersFile: ./headers, sizeMax: 2GiB }
    schedule: '0 22 * * *'
    timeZone: Europe/Berlin
    jitter: 5m
    hours: [22:00-06:00, 12:00-13:00]
    rates: [{ hours: 08:00-18:00, rate: 10/min }]
    keepReports: { count: 5, days: 90 }
  - { name: other, to: sandbox, export: [a.csv, b.csv], rate: 5, verify: 'false' }
`.replace('export: [a.csv, b.csv]', 'export: { path: [a.csv, b.csv] }'),
    );
    expect(sync.state).toBe('./state.db');
    expect(jobs).toMatchObject([
      {
        name: 'support',
        export: {
          url: 'https://example.com/export.zip?token=1',
          headersFile: './headers',
          sizeMax: 2 ** 31,
          timeout: 3_600_000,
        },
        schedule: '0 22 * * *',
        timeZone: 'Europe/Berlin',
        jitter: 300_000,
        hours: [
          { fromMinute: 1320, toMinute: 360 },
          { fromMinute: 720, toMinute: 780 },
        ],
        rates: [{ hours: { fromMinute: 480 }, rate: 10 }],
        keepReports: { count: 5, days: 90 },
        options: { appId: 'abc', region: 'eu', rate: 60, store: './chatferry-support.db', verify: true },
      },
      {
        name: 'other',
        export: { path: ['a.csv', 'b.csv'] },
        timeZone: 'UTC',
        hours: [],
        keepReports: { count: 30 },
        options: { to: 'sandbox', rate: 5, store: './chatferry-other.db', verify: false },
      },
    ]);
  });

  it('a variable beats the job, the job beats the top of the file', () => {
    const text = `rate: 1\nto: https://top.example.com\n${oneJob('    rate: 2\n')}`;
    expect(load(text).jobs[0]!.options).toMatchObject({ rate: 2, to: 'sandbox' });
    expect(load(text, { CHATFERRY_RATE: '3' }).jobs[0]!.options).toMatchObject({ rate: 3, to: 'sandbox' });
    const app = text.replace('to: sandbox', 'appId: x');
    expect(load(app).jobs[0]!.options).toMatchObject({ appId: 'x' });
  });

  it('a store at the top of the file is that of its one job', () => {
    expect(load(`store: ./bulk.db\n${oneJob('')}`).jobs[0]!.options.store).toBe('./bulk.db');
  });

  it.each([
    [
      'stars without quotes',
      oneJob('    schedule: */5 * * * *\n'),
      /yaml:5:\d+: a value that begins with \* has to be quoted$/,
    ],
    ['four fields', oneJob('    schedule: "* * * *"\n'), 'found "* * * *": it has 4'],
    ['no name', 'jobs: [{ to: sandbox, export: x }]', ':1:8: jobs.0.name: it is missing: expected text'],
    ['a value where keys belong', `sync: { log: info }\n${oneJob('')}`, ':1:9: sync.log: expected keys and values'],
    ['jobs by name', 'jobs: { a: { to: sandbox } }', 'expected a list of jobs, each starting with "- name:"'],
    [
      'a misspelt option at the top',
      `too: x\n${oneJob('')}`,
      /^Cannot use too at .*yaml:1:1: there is no such option; did you mean "to"\?$/,
    ],
    ['nothing to do', 'to: sandbox\n', 'names no jobs'],
    ['an empty list', 'jobs: []\n', ':1:1: jobs: expected one job at least'],
    ['an unknown key', oneJob('    shedule: x\n'), ':5:5: jobs.0.shedule: there is no such key'],
    ['a secret', oneJob('    apiKey: x\n'), ':5:5: jobs.0.apiKey: there is no such key'],
    ['a bad name', oneJob('').replace('support', 'Support!'), ':2:5: jobs.0.name: expected a name of a-z'],
    ['a bad option', oneJob('    rate: fast\n'), ':5:5: jobs.0.rate: expected requests per minute'],
    ['a bad schedule', oneJob('    schedule: daily\n'), ':5:5: jobs.0.schedule: expected a cron expression'],
    ['bad hours', oneJob('    hours: [1:00-2:00, night]\n'), ':5:5: jobs.0.hours: expected hours such as'],
    [
      'a bad rate table',
      oneJob('    rates: [{ hours: 1:00-2:00 }]\n'),
      'jobs.0.rates.0.rate: it is missing: expected one value',
    ],
    [
      'an unknown location',
      oneJob('').replace('./export', '{ ftp: x }'),
      ':4:5: jobs.0.export: expected a path, the address of a database, or one of',
    ],
    [
      'a misspelt key of a location',
      oneJob('').replace('./export', '{ url: https://a.example, header: x }'),
      ':4:39: jobs.0.export.header: there is no such key',
    ],
    ['plain http', oneJob('').replace('./export', '{ url: http://a.example }'), 'jobs.0.export.url: expected https'],
    [
      'credentials in an address',
      oneJob('').replace('./export', '{ url: "https://u:p4ss@a.example" }'),
      'put them into headersFile',
    ],
    [
      'a command as a line',
      oneJob('').replace('./export', '{ command: cat x, format: a }'),
      'export.command: expected a list',
    ],
    [
      'a path as a format',
      oneJob('').replace('./export', '{ command: [cat], format: ../x }'),
      'export.format: expected the name of a file',
    ],
    [
      'two keys to fetch with',
      oneJob('').replace('./export', '{ fetch: { from: https://a.example } }'),
      'expected either apiKeyFile or apiKeyVariable',
    ],
    ['no destination', oneJob('').replace('    to: sandbox\n', ''), ':2:5: job "support" names no destination'],
    ['two destinations', oneJob('    appId: x\n'), 'each names a destination'],
    ['an export on standard input', oneJob('').replace('./export', "'-'"), 'jobs.0.export: '],
    ['a key on standard input', oneJob("    apiKeyFile: '-'\n"), 'is read once only'],
    [
      'one name twice',
      `${oneJob('')}  - { name: support, to: sandbox, export: x }\n`,
      ':5:7: there is another job "support" at ',
    ],
    [
      'one store twice',
      `${oneJob('    store: ./a.db\n')}  - { name: b, to: sandbox, export: x, store: a.db }\n`,
      'jobs "support" and "b" have one store, "a.db": each needs its own',
    ],
    [
      'stores that share their downloads',
      `${oneJob('    store: ./a.db\n')}  - { name: b, to: sandbox, export: x, store: a }\n`,
      ':6:7: jobs "support" and "b" have one store, "a": each needs its own',
    ],
    [
      'an app that is migrated into itself',
      'jobs: [{ name: a, to: "https://A.example/", export: { fetch: { from: "https://a.example", apiKeyVariable: K } } }]',
      ':1:10: job "a" fetches from its own destination',
    ],
    [
      'an app that is migrated into itself by its id',
      'jobs: [{ name: a, appId: x1, region: eu, export: { fetch: { from: "PUBLIC", apiKeyVariable: K } } }]'.replace(
        'PUBLIC',
        publicBaseUrl('x1', 'eu'),
      ),
      ':1:10: job "a" fetches from its own destination',
    ],
    [
      'two apps that are migrated into each other',
      `jobs:
  - { name: a, to: "https://a.example", export: { fetch: { from: "https://b.example", apiKeyVariable: K } } }
  - { name: b, to: "https://b.example", export: { fetch: { from: "https://a.example", apiKeyVariable: K } } }`,
      ':2:7: job "a" fetches what job "b" sends, which fetches what job "a" sends',
    ],
    ['an unknown key of sync', `sync: { port: 1 }\n${oneJob('')}`, ':1:9: sync.port: there is no such key'],
  ])('refuses %s, and says where', (_, text, words) => {
    expect(() => load(text)).toThrow(words);
  });

  it('never repeats an address, which may hold a token', () => {
    const text = oneJob('').replace('./export', '{ url: "ftp://a.example/s3cret?token=s3cret" }');
    expect(() => load(text)).toThrow(/^(?!.*s3cret).*expected https/);
  });
});

it('loadOptions() passes over jobs and sync, which are for two commands alone', () => {
  const path = fileOf(`rate: 7\nsync: { state: x.db }\n${oneJob('')}`);
  expect(loadOptions({ flags: {}, env: {}, configPath: path })).toMatchObject({ rate: 7 });
});

describe('docs/guides/sync-example.yaml', () => {
  const text = readFileSync('docs/guides/sync-example.yaml', 'utf8');

  it('is a configuration', () => {
    const { jobs, sync } = loadSyncFile({ flags: {}, env: {}, configPath: 'docs/guides/sync-example.yaml' });
    expect(jobs.map(({ name }) => name)).toEqual(['support', 'slack-archives', 'vendor', 'app', 'database', 'old-app']);
    expect(sync).toMatchObject({ listen: { port: 9464 }, webhook: { on: ['failure', 'drift', 'recovery'] } });
  });

  it('matches the published schema, which rejects misspelt keys', () => {
    const schema = JSON.parse(readFileSync('docs/reference/schemas/config.schema.json', 'utf8'));
    const fits = new Ajv2020({ strict: false }).compile(schema);
    expect(fits(parse(text)), JSON.stringify(fits.errors)).toBe(true);
    expect(fits(parse(text.replace('schedule:', 'shedule:')))).toBe(false);
    expect(fits(parse(text.replace('dropFolder:', 'dropFolders:')))).toBe(false);
  });

  it('shows every key of a job that is no option', () => {
    for (const key of ['name', 'export', 'schedule', 'timeZone', 'jitter', 'hours', 'rates', 'keepReports']) {
      expect(text).toContain(`${key}:`);
    }
  });
});
