import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src/fetch/manifest.ts';
import { exitCodes } from '../../../src/model/exit-codes.ts';
import { run } from '../../cli/in-process.ts';
import { described, descriptionOf } from '../../fetch/described.ts';
import { localRecipe } from '../../fetch/fetched.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { installPrism, playApi } from './prism.ts';

const shared = sharedFolder('openapi');
const home = temporaryFolder();
let prism: string | undefined;

describe.skipIf(shared === null)('a recipe, against the provider as its own description has it', () => {
  beforeAll(async () => {
    const folder = home.make();
    if (await installPrism(folder)) prism = folder;
  });

  it.each(described)('$provider: every request fits the description', async (api) => {
    const { provider, settings, empty = [], endless = [] } = api;
    if (prism === undefined) return;
    const played = await playApi(prism, descriptionOf(api, shared!, home.make()));
    try {
      const folder = home.make();
      const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const args = [
        'fetch',
        '--recipe',
        localRecipe(provider, played.url, folder),
        ...set,
        '--out',
        'out',
        '--json',
        '--quiet',
      ];
      const { code, stdout, stderr } = await run(args, {
        folder,
        env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' },
      });
      expect({ code, stderr, faults: played.faults() }).toEqual({
        code: endless.length === 0 ? exitCodes.done : exitCodes.someFailed,
        stderr: '',
        faults: [],
      });
      const { manifest } = JSON.parse(stdout) as {
        readonly manifest: Pick<Manifest, 'steps' | 'gaps'>;
      };
      const without = Object.entries(manifest.steps).flatMap(([step, { rows }]) => (rows === 0 ? step : []));
      expect(without).toEqual(empty);
      expect(manifest.gaps.map(({ step }) => step)).toEqual(endless);
    } finally {
      await played.stop();
    }
  });
});
