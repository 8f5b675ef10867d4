import { existsSync, readFileSync } from 'node:fs';
import { assetFile } from '../../lib/package-files.ts';

/** Nothing in it comes from outside. */
export const pageHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Chatferry viewer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/viewer/page.css">
<div id="page"><p class="empty">The viewer needs JavaScript.</p></div>
<script type="module" src="/viewer/page.js"></script>
</html>
`;

let script: Promise<string> | undefined;

/** The page's program. Published, it was put together with the package; in a checkout, when it is first asked for. */
export function pageScript(): Promise<string> {
  script ??= loadScript();
  return script;
}

async function loadScript(): Promise<string> {
  const built = assetFile('sandbox/viewer/page.js');
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const { bundlePage } = (await import(assetFile('../scripts/bundle-page.ts').href)) as {
    bundlePage: () => Promise<string>;
  };
  return await bundlePage();
}

export const pageStyle = (): string => readFileSync(assetFile('sandbox/viewer/page/page.css'), 'utf8');
