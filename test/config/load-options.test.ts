import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toFlag, loadOptions, toVariable } from '../../src/config/load-options.ts';
import { UsageError } from '../../src/lib/errors.ts';

function configWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'my.yaml');
  writeFileSync(path, text);
  return path;
}

const load = (flags: Record<string, unknown>, env: Record<string, string>, config = '') =>
  loadOptions({ flags, env, configPath: configWith(config) });

describe('names of an option', () => {
  it('are made from its key', () => {
    expect([toFlag('batchItems'), toVariable('batchItems')]).toEqual(['--batch-items', 'CHATFERRY_BATCH_ITEMS']);
    expect([toFlag('to'), toVariable('to')]).toEqual(['--to', 'CHATFERRY_TO']);
  });
});

describe('loadOptions()', () => {
  it('has defaults where nothing is given', () => {
    expect(load({}, {})).toEqual({
      store: './chatferry.db',
      allowNetworkFs: false,
      anonymous: false,
      dryRun: false,
      allowMappingChange: false,
      actions: [],
      drift: 'report',
      exportScope: 'full',
      outOfOrder: 'warn',
      format: ['html', 'json', 'csv'],
      json: false,
      yes: false,
      oneByOne: false,
      quiet: false,
      concurrency: 8,
      sendProfiles: 'first',
      maxFailures: 0.2,
      probeDuplicates: false,
      checkMedia: false,
      watch: false,
      interval: 2_000,
      force: false,
      verify: true,
      newMuids: false,
      trackUsers: false,
      keepUsers: false,
      readBack: true,
      repair: false,
    });
  });

  it('takes the formats of a report with commas between them, each once', () => {
    expect(load({ format: 'markdown, csv,markdown' }, {}).format).toEqual(['csv', 'markdown']);
    expect(() => load({ format: 'html,pdf' }, {})).toThrow(
      'Cannot use --format: expected some of html, json, csv, markdown, found "pdf"',
    );
  });

  it('lets flags beat variables, and variables the file', () => {
    const file = 'rate: 1\nconcurrency: 1\nstore: file.db\n';
    const env = { CHATFERRY_RATE: '2', CHATFERRY_CONCURRENCY: '2' };
    expect(load({ rate: '3' }, env, file)).toMatchObject({ rate: 3, concurrency: 2, store: 'file.db' });
  });

  it('takes a flag that was not given, and an empty variable, for nothing', () => {
    expect(load({ store: undefined }, { CHATFERRY_STORE: '' }, 'store: file.db').store).toBe('file.db');
  });

  it('reads units and switches from all three', () => {
    const file = 'batchBytes: 512KiB\nmaxFailures: 5%\nverify: false\njson: true\n';
    expect(load({ yes: true }, { CHATFERRY_GRACE_PERIOD: '2m', CHATFERRY_QUIET: '1' }, file)).toMatchObject({
      batchBytes: 524_288,
      maxFailures: 0.05,
      verify: false,
      json: true,
      yes: true,
      gracePeriod: 120_000,
      quiet: true,
    });
  });

  it('takes values of the file as they are written', () => {
    const file = 'appId: 0123\nworkspace: 12345678901234567890\nregion: us\n';
    expect(load({}, {}, file)).toMatchObject({ appId: '0123', workspace: '12345678901234567890' });
  });

  it.each([
    [{ rate: 'fast' }, {}, '', 'Cannot use --rate: expected requests per minute, such as 60 or 60/min, found "fast"'],
    [{}, { CHATFERRY_RATE: '0' }, '', 'Cannot use CHATFERRY_RATE: expected requests per minute'],
    [{}, {}, 'rate: 0\n', /^Cannot use rate at .*my\.yaml:1:1: expected requests per minute/],
    [{ batchItems: '1001' }, {}, '', 'Cannot use --batch-items: expected a whole number from 1 to 1000'],
    [{ verify: 'no' }, {}, '', 'Cannot use --no-verify: expected true or false'],
    [{}, { CHATFERRY_JSON: 'yes' }, '', 'Cannot use CHATFERRY_JSON: expected true or false'],
    [
      {},
      { CHATFERRY_PROFILE: 'own' },
      '',
      'Cannot use CHATFERRY_PROFILE: expected spec, hosted or sandbox, found "own"',
    ],
    [{}, {}, 'speed: 9\n', /^Cannot use speed at .*my\.yaml:1:1: there is no such option$/],
    [{}, {}, 'apiKey: secret\n', /^Cannot use apiKey at .*my\.yaml:1:1: there is no such option$/],
    [{}, {}, 'store:\n', /^Cannot use store at .*my\.yaml:1:1: expected a value, found nothing$/],
    [{}, {}, 'store: [a]\n', /^Cannot use store at .*my\.yaml:1:1: expected text$/],
    [{}, {}, 'rate: {a: 1}\n', /^Cannot use rate at .*my\.yaml:1:1: expected one value$/],
    [{}, {}, '- store\n', /^Cannot read the configuration ".*my\.yaml": expected keys and values$/],
    [{}, {}, 'store: a\nstore: b\n', /^Cannot read the configuration .*my\.yaml:2:1: the key "store" is there twice$/],
    [{}, {}, 'store: *x\n', /^Cannot read the configuration ".*my\.yaml": an alias \(\*name\) has no anchor/],
  ])('names the place of an invalid value: %j %j %j', (flags, env, file, words) => {
    expect(() => load(flags, env, file)).toThrow(UsageError);
    expect(() => load(flags, env, file)).toThrow(words);
  });

  it('names a configuration that is not there', () => {
    expect(() => loadOptions({ flags: {}, env: {}, configPath: 'nowhere.yaml' })).toThrow(
      'Cannot read the configuration "nowhere.yaml": ENOENT',
    );
  });
});

describe('the destination of a run', () => {
  const app = 'appId: app1\nregion: eu\n';

  it('is that of the stronger place if two places name different ones', () => {
    for (const options of [load({ to: 'sandbox' }, {}, app), load({}, { CHATFERRY_TO: 'sandbox' }, app)]) {
      expect([options.to, options.appId, options.region]).toEqual(['sandbox', undefined, undefined]);
    }
    const options = load({ appId: 'app2', region: 'us' }, {}, 'to: https://chat.example.com\n');
    expect([options.to, options.appId, options.region]).toEqual([undefined, 'app2', 'us']);
  });

  it('is an error where one place names two', () => {
    expect(() => load({ to: 'sandbox', appId: 'app1' }, {})).toThrow('Cannot use --app-id together with --to');
    expect(() => load({}, {}, `${app}to: sandbox\n`)).toThrow(
      /^Cannot use appId at .*:1:1 together with to at .*:\d:1/,
    );
  });

  it('is rehearsed if a stronger place sets sandbox', () => {
    const meant = (...given: Parameters<typeof load>) => load(...given).rehearseFor;
    const address = 'https://chat.example.com';
    expect(meant({ to: 'sandbox' }, {}, app)).toBe('https://app1.api-eu.cometchat.io');
    expect(meant({ to: 'sandbox' }, {}, 'appId: app1\n')).toBe('app1');
    expect(meant({ to: 'sandbox' }, {}, `to: ${address}\n`)).toBe(address);
    expect(meant({ to: 'sandbox' }, { CHATFERRY_TO: address }, app)).toBe(address);
    expect(meant({ to: 'sandbox', rehearseFor: 'spec' }, {}, app)).toBe('spec');
    expect(meant({ to: 'sandbox' }, {}, '')).toBeUndefined();
    expect(meant({}, {}, 'to: sandbox\n')).toBeUndefined();
    expect(meant({}, {}, app)).toBeUndefined();
  });

  it('is the sandbox if a stronger place sets rehearseFor, but not if a weaker one does', () => {
    const of = ({ to, appId, region, rehearseFor }: ReturnType<typeof load>) => [to, appId, region, rehearseFor];
    expect(of(load({ rehearseFor: 'hosted' }, {}, app))).toEqual([undefined, undefined, undefined, 'hosted']);
    expect(of(load({ to: 'https://chat.example.com' }, {}, 'rehearseFor: hosted\n'))).toEqual([
      'https://chat.example.com',
      undefined,
      undefined,
      undefined,
    ]);
    expect(of(load({}, {}, 'rehearseFor: hosted\n'))).toEqual([undefined, undefined, undefined, 'hosted']);
  });
});
