/**
 * Puts the viewer's page together: one script, minified, from `src/viewer/page/`, with Preact and markdown-it inside.
 *
 * `node scripts/bundle-page.ts` prints how long it is.
 */
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Modules that went into it, by path, for their licences. */
export async function bundlePageWithModules(): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const bundle = await rolldown({
    input: { page: `${root}src/viewer/page/main.tsx` },
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
export const bundlePage = async (): Promise<string> => (await bundlePageWithModules()).code;

if (import.meta.main) {
  const code = await bundlePage();
  console.log(`${code.length} bytes, ${gzipSync(code).length} compressed`);
}
