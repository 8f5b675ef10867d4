/**
 * Puts a page together: one script, minified, from the `page/` of its folder in `src`, with the libraries that it uses inside.
 *
 * `node scripts/bundle-page.ts` prints how long it is.
 */
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names of the pages: their folders in `src`. */
export const pages = ['viewer', 'desk'] as const;

type PageName = (typeof pages)[number];

interface BundledPage {
  readonly code: string;
  /** Modules that went into it, by path, for their licences. */
  readonly modules: readonly string[];
}

export async function bundlePageWithModules(name: PageName): Promise<BundledPage> {
  const bundle = await rolldown({
    input: { page: `${root}src/${name}/page/main.tsx` },
    platform: 'browser',
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The bundler warns: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  return { code: chunk.code, modules: chunk.moduleIds };
}

/** The page's program. */
export const bundlePage = async (name: PageName): Promise<string> => (await bundlePageWithModules(name)).code;

if (import.meta.main) {
  for (const name of pages) {
    const code = await bundlePage(name);
    console.log(`${name}: ${code.length} bytes, ${gzipSync(code).length} compressed`);
  }
}
