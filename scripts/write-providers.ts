import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadProvider, providerNames } from '../src/fetch/load-recipe.ts';

/** The page whose table this script writes, from the recipes themselves. */
export const providersPage = fileURLToPath(new URL('../docs/guides/fetch.md', import.meta.url));

const table = /\| provider \| settings \| key \| not tried yet \|\n(?:\|.*\n)+/;

/** The page with the table as the recipes have it. */
export function renderProviders(page: string): string {
  const rows = providerNames().map((name) => {
    const { title, source, settings, key, unverified } = loadProvider(name).recipe;
    const asked = Object.entries(settings).map(
      ([setting, { what, default: usual }]) =>
        `\`${setting}\`: ${what}${usual === undefined ? '' : ` (default ${usual || 'none'})`}`,
    );
    const cells = [
      `[\`${name}\`](../../mappings/fetch/${name}.yaml): [${title}](../reference/sources/${source}.md)`,
      asked.join('; '),
      key.what,
      unverified ?? '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return page.replace(
    table,
    `${['| provider | settings | key | not tried yet |', '|---|---|---|---|', ...rows].join('\n')}\n`,
  );
}

if (import.meta.main) writeFileSync(providersPage, renderProviders(readFileSync(providersPage, 'utf8')));
