import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { described } from '../../fetch/described.ts';
import { localRecipe } from '../../fetch/fetched.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { installPrism, playApi } from './prism.ts';

const shared = sharedFolder('openapi');
const home = temporaryFolder();
let prism: string | undefined;

const textOrNumber = /"oneOf"(?=:\s*\[\s*\{\s*"type":\s*"string"\s*\},\s*\{\s*"type":\s*"integer")/g;

/** A copy in which a number of a query may be an integer and a text: it is both, and `oneOf` wants one of them. */
function repaired(description: string, folder: string): string {
  const copy = join(folder, 'description.json');
  writeFileSync(copy, readFileSync(description, 'utf8').replaceAll(textOrNumber, '"anyOf"'));
  return copy;
}

/** Paths of a description begin behind the path of its server, and so does the API that is played. */
function withoutBase(recipe: string, url: string, description: string): string {
  const { servers } = JSON.parse(readFileSync(description, 'utf8')) as { readonly servers: readonly { url: string }[] };
  const { pathname } = new URL(servers[0]!.url.replaceAll(/[{}]/g, ''));
  writeFileSync(recipe, readFileSync(recipe, 'utf8').replace(url + pathname.replace(/\/$/, ''), url));
  return recipe;
}

describe.skipIf(shared === null)('a recipe, against the provider as its own description has it', () => {
  beforeAll(async () => {
    const folder = home.make();
    if (await installPrism(folder)) prism = folder;
  });

  it.each(described)(
    '$provider: every request fits the description',
    async ({ provider, description, settings, undescribed }) => {
      if (prism === undefined) return;
      const folder = home.make();
      const played = await playApi(prism, repaired(join(shared!, description), folder));
      try {
        const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
        const args = [
          'fetch',
          '--recipe',
          withoutBase(localRecipe(provider, played.url, folder, undescribed), played.url, join(shared!, description)),
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
    },
  );
});
