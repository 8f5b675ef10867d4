import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { described, type Described } from '../../fetch/described.ts';
import { localRecipe } from '../../fetch/fetched.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { installPrism, playApi } from './prism.ts';

const shared = sharedFolder('openapi');
const home = temporaryFolder();
let prism: string | undefined;

const textOrNumber = /"oneOf"(?=:\s*\[\s*\{\s*"type":\s*"string"\s*\},\s*\{\s*"type":\s*"integer")/g;

/** An answer that is made up of a description has an address of a next page that is none. */
const madeUpLink = '@odata.nextLink';

/** A copy in which a number of a query may be an integer and a text: it is both, and `oneOf` wants one of them. */
function repaired(description: string, folder: string): string {
  const copy = join(folder, 'description.json');
  const text = readFileSync(description, 'utf8').replaceAll(textOrNumber, '"anyOf"');
  const parsed: unknown = JSON.parse(text, (key, value: unknown) => (key === madeUpLink ? undefined : value));
  writeFileSync(copy, JSON.stringify(parsed));
  return copy;
}

/** The recipe asks for paths as the description has them: they begin behind the path of its server. */
function asDescribed(recipe: string, url: string, { description, instead = {} }: Described): string {
  const { servers } = JSON.parse(readFileSync(join(shared!, description), 'utf8')) as {
    readonly servers: readonly { readonly url: string }[];
  };
  const { pathname } = new URL(servers[0]!.url.replaceAll(/[{}]/g, ''));
  let text = readFileSync(recipe, 'utf8').replace(url + pathname.replace(/\/$/, ''), url);
  for (const [path, other] of Object.entries(instead)) text = text.replaceAll(`get: ${path}\n`, `get: ${other}\n`);
  writeFileSync(recipe, text);
  return recipe;
}

describe.skipIf(shared === null)('a recipe, against the provider as its own description has it', () => {
  beforeAll(async () => {
    const folder = home.make();
    if (await installPrism(folder)) prism = folder;
  });

  it.each(described)('$provider: every request fits the description', async (one) => {
    const { provider, description, settings, undescribed } = one;
    if (prism === undefined) return;
    const folder = home.make();
    const played = await playApi(prism, repaired(join(shared!, description), folder));
    try {
      const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const args = [
        'fetch',
        '--recipe',
        asDescribed(localRecipe(provider, played.url, folder, undescribed), played.url, one),
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
      expect({ code, stderr, faults: played.faults() }).toEqual({ code: 0, stderr: '', faults: [] });
      const { manifest } = JSON.parse(stdout) as {
        readonly manifest: { readonly steps: Readonly<Record<string, { readonly rows: number }>> };
      };
      for (const { rows } of Object.values(manifest.steps)) expect(rows).toBeGreaterThan(0);
    } finally {
      await played.stop();
    }
  });
});
