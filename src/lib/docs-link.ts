import { readFileSync } from 'node:fs';
import { isCheckout, packageFile } from './package-files.ts';

/** The parts of package.json that say where the pages are. */
interface Manifest {
  readonly homepage: string;
  readonly repository: { readonly url: string };
}

/** None in a checkout, whose pages are files. */
const manifest = isCheckout ? undefined : (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Manifest);

/**
 * Where a reader finds a page of the documentation, for help, hints and errors.
 *
 * A checkout has its pages as files: `docs/guides/verify.md`. Elsewhere it is an address below `homepage` in package.json.
 *
 * @param page Path below `docs/`, without ending: `guides/verify`, `reference/checks/index`.
 */
export const docsLink = (page: string): string =>
  manifest === undefined ? `docs/${page}.md` : docsAddress(page, manifest);

/** While `homepage` is the repository itself, the page as the repository shows it; else the page of the site. */
export function docsAddress(page: string, { homepage, repository }: Manifest): string {
  const shown = withoutEnd(homepage);
  if (shown === withoutEnd(repository.url)) return `${shown}/blob/main/docs/${page}.md`;
  // With its ending, so that a host needs no rules for addresses without one.
  return `${shown}/${page}.html`;
}

/** An address of a repository or of a site, without what differs between ways of writing it. */
const withoutEnd = (address: string) =>
  address
    .replace(/^git\+/, '')
    .replace(/#.*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
