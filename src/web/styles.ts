import { readFileSync } from 'node:fs';
import { assetFile } from '../lib/package-files.ts';
import { icons } from './icons.ts';

/**
 * The style of a page: colours, components, then the sheets of its own.
 *
 * @param own Paths in `src`, in this order.
 */
export const styleOf = (...own: readonly string[]): string =>
  ['web/tokens.css', 'web/kit.css', ...own].map((path) => readFileSync(assetFile(path), 'utf8')).join('\n');

/** The mark on a ground of its own, as an address that holds it: browsers show it on light and on dark. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#1b5e96"/><path d="${icons.mark}" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
)}`;
