import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { described } from '../../fetch/described.ts';
import { localRecipe } from '../../fetch/fetched.ts';
import { dialects } from '../../fetch/mock/dialects.ts';
import { startMock } from '../../fetch/mock/mock-provider.ts';
import { makeWorld } from '../../fetch/mock/world.ts';
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

  it.each(described)('$provider: every request fits the description', async (one) => {
    const { provider, description, settings, base, hasLooseExamples = false, isMocked = false } = one;
    if (prism === undefined) return;
    const dialect = dialects.find((known) => known.provider === provider);
    const mock = isMocked ? await startMock(dialect!, makeWorld(4, 101)) : undefined;
    const upstream = mock && (() => `${mock.url}${base}`);
    const played = await playApi(prism, join(shared!, description), upstream, !hasLooseExamples);
    try {
      const folder = home.make();
      const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const args = [
        'fetch',
        '--recipe',
        localRecipe(provider, played.url, folder, base),
        ...set,
        '--out',
        'out',
        '--json',
        '--quiet',
        ...['--rate', '60000'],
      ];
      const { code, stdout, stderr } = await run(args, {
        folder,
        env: { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' },
      });
      const faults = played.faults();
      expect({ code, stderr, faults }).toEqual({ code: hasLooseExamples ? 3 : 0, stderr: '', faults: [] });
      const { manifest } = JSON.parse(stdout) as {
        readonly manifest: {
          readonly steps: Readonly<Record<string, { readonly rows: number }>>;
          readonly gaps: readonly { readonly why: string }[];
        };
      };
      for (const { why } of manifest.gaps) expect(why).toContain('names itself as the next page');
      for (const { rows } of Object.values(manifest.steps)) expect(rows).toBeGreaterThan(0);
    } finally {
      await played.stop();
    }
  });
});
