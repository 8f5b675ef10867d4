import { existsSync, readFileSync } from 'node:fs';
import { assetFile } from '../lib/package-files.ts';
import type { TransportAnswer } from '../service/transport.ts';
import { failure } from '../sandbox/answers.ts';
import { type Viewer, viewerPrefix, type ViewerRequest } from '../sandbox/serve.ts';
import { Admission } from './answers/admission.ts';
import { endpoints, type Shown, stateOf } from './answers/endpoints.ts';
import type { ConversationPage } from './shapes.ts';

export type { Viewer };

export interface ViewerOptions {
  /** Called when a link has let a browser in, with the entrance for the next one. */
  readonly onEntered?: ((entrance: string) => void) | undefined;
}

/**
 * Serves the page and the data that it shows: by GET alone, without a key of the service, and to browsers that were let in, each by a
 * link of its own. The sandbox is read by a connection that cannot write, so that nothing a page does can change it.
 */
export function createViewer(shown: Shown, { onEntered }: ViewerOptions = {}): Viewer {
  const admission = new Admission();
  const entranceNow = () => `${viewerPrefix}?open=${admission.secret}`;
  /** A browser that is in already only loses the secret from its address: a reload uses up no link. */
  const enter = (secret: string, isIn: boolean): TransportAnswer => {
    if (isIn) return toPage();
    const session = admission.admit(secret);
    if (session === undefined) return refusal(403, admission.wasUsed(secret) ? linkUsed : notLetIn);
    onEntered?.(entranceNow());
    return toPage(`${admission.cookieName}=${session}; Path=${viewerPrefix}; HttpOnly; SameSite=Lax`);
  };
  return {
    get entrance() {
      return entranceNow();
    },
    async answer(request) {
      const { pathname, searchParams } = new URL(request.path, 'http://sandbox');
      if (request.method !== 'GET') return refusal(405, 'The viewer answers GET alone');
      const secret = pathname === viewerPrefix ? searchParams.get('open') : null;
      const isIn = admission.knows(request.headers.cookie);
      if (secret !== null) return enter(secret, isIn);
      if (!isIn) return refusal(403, notLetIn);
      if (pathname === viewerPrefix) return file('text/html; charset=utf-8', pageHtml);
      if (pathname === `${viewerPrefix}/page.js`) return file('text/javascript; charset=utf-8', await pageScript());
      if (pathname === `${viewerPrefix}/page.css`) return file('text/css; charset=utf-8', pageStyle());
      if (!isOfPage(request)) return refusal(403, 'The viewer answers its own page alone');
      return dataOf(pathname, searchParams, shown);
    },
  };
}

const notLetIn = 'Open the address that chatferry printed: it lets your browser in';
const linkUsed =
  'This address has let a browser in, and works once. Go back to that browser, or open the address that chatferry printed last';

async function dataOf(pathname: string, search: URLSearchParams, shown: Shown): Promise<TransportAnswer> {
  const name = pathname.slice(`${viewerPrefix}/data/`.length);
  const overview = shown.overview();
  overview?.refresh();
  if (name === 'state') return json(stateOf(shown));
  // Before the first message is there, and where messages are elsewhere.
  if (name === 'conversations' && !overview) return json(noConversations);
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  const found = overview && (await endpoint?.(overview, search, shown));
  return found === undefined ? refusal(404, 'There is nothing by that name') : json(found);
}

const noConversations: ConversationPage = {
  rows: [],
  next: null,
  people: {},
  totals: { conversations: 0, messages: 0 },
};

/** Pictures come from this server or are in their address: nothing that a message names is loaded from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const guards = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const file = (type: string, body: string): TransportAnswer => ({
  status: 200,
  headers: { ...guards, 'content-type': type },
  body,
});

const json = (value: unknown): TransportAnswer => file('application/json', JSON.stringify(value));

function refusal(status: number, message: string): TransportAnswer {
  const answer = failure(status, { code: 'ERR_VIEWER', message });
  return { ...answer, headers: { ...answer.headers, ...guards } };
}

/** The part after `#` stays: a link into the viewer may be opened by it. */
const toPage = (cookie?: string): TransportAnswer => ({
  status: 303,
  headers: { ...guards, location: viewerPrefix, ...(cookie !== undefined && { 'set-cookie': cookie }) },
  body: '',
});

/** Returns whether a request comes from the page. Browsers name its origin; any other client has no valid cookie. */
const isOfPage = ({ headers }: ViewerRequest): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);

/** Nothing in it comes from outside. */
const pageHtml = `<!doctype html>
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
function pageScript(): Promise<string> {
  script ??= loadScript();
  return script;
}

async function loadScript(): Promise<string> {
  const built = assetFile('viewer/page.js');
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const { bundlePage } = (await import(assetFile('../scripts/bundle-page.ts').href)) as {
    bundlePage: () => Promise<string>;
  };
  return await bundlePage();
}

const pageStyle = (): string => readFileSync(assetFile('viewer/page/page.css'), 'utf8');
