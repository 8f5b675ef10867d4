import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src/fetch/manifest.ts';
import { exitCodes } from '../../../src/model/exit-codes.ts';
import { run } from '../../cli/in-process.ts';
import { type Described, described, descriptionOf } from '../../fetch/described.ts';
import { localRecipe } from '../../fetch/fetched.ts';
import { dialects } from '../../fetch/mock/dialects.ts';
import { startMock } from '../../fetch/mock/mock-provider.ts';
import { makeWorld } from '../../fetch/mock/world.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { everyNth } from '../../tier.ts';
import { installPrism, playApi } from './prism.ts';

const shared = sharedFolder('openapi');
const home = temporaryFolder();
let prism: string | undefined;

/** Fetches all that a provider at an address has. */
async function fetchFrom(url: string, { provider, ...api }: Described, settings: Readonly<Record<string, string>>) {
  const folder = home.make();
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = [
    '--recipe',
    localRecipe(provider, url, folder, { ...api, without: api.undescribed }),
    ...set,
    '--out',
    'out',
    '--json',
    '--quiet',
    '--rate',
    '60000',
  ];
  const env = { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' };
  const { code, stdout, stderr } = await run(['fetch', ...args], { folder, env });
  return { code, stderr, manifest: () => (JSON.parse(stdout) as { readonly manifest: Manifest }).manifest };
}

describe.skipIf(shared === null)('a recipe, against the provider as its own description has it', () => {
  beforeAll(async () => {
    const folder = home.make();
    if (await installPrism(folder)) prism = folder;
  });

  it.each(everyNth(3, described))('$provider: every request fits the description', async (api) => {
    const { provider, settings, base, isMocked = false, hasLooseExamples = false, empty = [], endless = [] } = api;
    if (prism === undefined) return;
    const dialect = dialects.find((known) => known.provider === provider);
    const mock = isMocked ? await startMock(dialect!, makeWorld(4, 101)) : undefined;
    const upstream = mock && (() => `${mock.url}${base}`);
    const played = await playApi(prism, descriptionOf(api, shared!, home.make()), upstream, !hasLooseExamples);
    try {
      const { code, stderr, manifest } = await fetchFrom(played.url, api, settings);
      const hasGaps = hasLooseExamples || endless.length > 0;
      const expected = hasGaps ? exitCodes.someFailed : exitCodes.done;
      expect({ code, stderr, faults: played.faults() }).toEqual({ code: expected, stderr: '', faults: [] });
      const { steps, gaps } = manifest();
      expect(Object.entries(steps).flatMap(([step, { rows }]) => (rows === 0 ? step : []))).toEqual(empty);
      if (hasLooseExamples) for (const { why } of gaps) expect(why).toContain('names itself as the next page');
      else expect(gaps.map(({ step }) => step)).toEqual(endless);
    } finally {
      await played.stop();
    }
  });

  const answered = described.filter(
    ({ isMocked, hasLooseExamples, hasOtherAnswers }) => !isMocked && !hasLooseExamples && !hasOtherAnswers,
  );
  it.each(answered)('$provider: every answer of the one that is played here fits the description', async (api) => {
    const dialect = dialects.find(({ provider }) => provider === api.provider)!;
    if (prism === undefined) return;
    let url = '';
    const mock = await startMock(dialect, makeWorld(3, 60), { base: () => url });
    const played = await playApi(prism, descriptionOf(api, shared!, home.make()), () => mock.url);
    url = played.url;
    try {
      const { code, stderr } = await fetchFrom(url, api, dialect.settings);
      expect({ code, stderr, faults: played.faults() }).toEqual({ code: exitCodes.done, stderr: '', faults: [] });
    } finally {
      await played.stop();
    }
  });
});
