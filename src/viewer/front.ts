import { existsSync, readFileSync } from 'node:fs';
import { assetFile } from '../lib/package-files.ts';
import { failure } from '../sandbox/answers.ts';
import type { Viewer, ViewerRequest } from '../sandbox/serve.ts';
import type { TransportAnswer } from '../service/transport.ts';
import { favicon, styleOf } from '../web/styles.ts';
import { Admission, type LetIn } from './answers/admission.ts';

export type { LetIn };

/** A page that has a bundle of its own, by the folder of `src` that holds it; its paths begin with this name. */
type PageName = 'viewer' | 'desk';

export interface FrontOptions {
  readonly name: PageName;
  /** Path under which the page asks for the data of chats: `/viewer/data`. */
  readonly base: string;
  /** Browsers that a program before this one let in. */
  readonly letIn?: LetIn | undefined;
  /** Called when a link has let a browser in, with the entrance for the next one. */
  readonly onEntered?: ((entrance: string, letIn: LetIn) => void) | undefined;
  /** That it answers; the page itself is read alone. */
  readonly methods: readonly string[];
  /** Answers the page's own requests, from browsers that were let in; undefined if nothing has that name. */
  readonly answer: (request: FrontRequest) => Promise<TransportAnswer | undefined>;
}

export interface FrontRequest {
  readonly method: string;
  /** After the page's prefix: `/data/state`. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: ViewerRequest['headers'];
  readonly body: Uint8Array;
}

/**
 * Serves a page of this machine: its HTML, program and stylesheet, and what it asks for, to browsers that were let in,
 * each by a link of its own. A page can neither load anything from elsewhere nor be asked by a page from elsewhere.
 */
export function createFront({ name, base, methods, letIn, onEntered, answer }: FrontOptions): Viewer {
  const prefix = `/${name}`;
  const admission = new Admission(letIn);
  const entranceNow = () => `${prefix}?open=${admission.secret}`;
  /** The part after `#` stays: a link into the page may be opened by it. */
  const toPage = (cookie?: string): TransportAnswer => ({
    status: 303,
    headers: { ...guards, location: prefix, ...(cookie !== undefined && { 'set-cookie': cookie }) },
    body: '',
  });
  /** A browser that is in already only loses the secret from its address: a reload uses up no link. */
  const enter = (secret: string, isIn: boolean): TransportAnswer => {
    if (isIn) return toPage();
    const session = admission.admit(secret);
    if (session === undefined) return refusal(403, admission.wasUsed(secret) ? linkUsed : notLetIn);
    onEntered?.(entranceNow(), admission.letIn);
    return toPage(`${admission.cookieName}=${session}; Path=${prefix}; HttpOnly; SameSite=Lax`);
  };
  /** The page itself: undefined for any other path. */
  const findPageFile = async (pathname: string): Promise<TransportAnswer | undefined> => {
    if (pathname === prefix) return file('text/html; charset=utf-8', pageHtml(name, base));
    if (pathname === `${prefix}/page.js`) return file('text/javascript; charset=utf-8', await pageScript(name));
    if (pathname === `${prefix}/page.css`) return file('text/css; charset=utf-8', styleOf(...styles[name]));
    return undefined;
  };
  const refuse = (request: ViewerRequest) => {
    const { method, headers } = request;
    if (!methods.includes(method)) return refusal(405, `The ${name} answers ${methods.join(', ')} alone`);
    if (method !== 'GET' && !admission.knows(headers.cookie)) return refusal(403, notLetIn);
    return undefined;
  };
  return {
    prefixes: [prefix],
    get entrance() {
      return entranceNow();
    },
    refuse,
    async answer(request) {
      const refused = refuse(request);
      if (refused) return refused;
      const { method, headers, body = nothing } = request;
      const { pathname, searchParams: search } = new URL(request.path, 'http://sandbox');
      const isRead = method === 'GET';
      const secret = isRead && pathname === prefix ? search.get('open') : null;
      const isIn = admission.knows(headers.cookie);
      if (secret !== null) return enter(secret, isIn);
      if (!isIn) return refusal(403, notLetIn);
      const part = isRead ? await findPageFile(pathname) : undefined;
      if (part) return part;
      if (!isFromPage(request)) return refusal(403, `The ${name} answers its own page alone`);
      const found = await answer({ method, path: pathname.slice(prefix.length), search, headers, body });
      return found ?? refusal(404, 'There is nothing by that name');
    },
  };
}

const nothing = new Uint8Array();

const notLetIn = 'Open the address that chatferry printed: it lets your browser in';
const linkUsed =
  'This address has let a browser in, and works once. Go back to that browser, or open the address that chatferry printed last';

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

/** An answer of any type, with the headers of all answers. */
export const file = (type: string, body: string): TransportAnswer => ({
  status: 200,
  headers: { ...guards, 'content-type': type },
  body,
});

export const json = (value: unknown): TransportAnswer => file('application/json', JSON.stringify(value));

function refusal(status: number, message: string): TransportAnswer {
  const answer = failure(status, { code: 'ERR_VIEWER', message });
  return { ...answer, headers: { ...answer.headers, ...guards } };
}

/** Returns whether a request comes from the page. Browsers name its origin; any other client has no valid cookie. */
const isFromPage = ({ headers }: ViewerRequest): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);

/** Nothing in it comes from outside. */
const pageHtml = (name: PageName, base: string): string => `<!doctype html>
<html lang="en" data-base="${base}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Chatferry ${name}</title>
<link rel="icon" href="${favicon}">
<link rel="stylesheet" href="/${name}/page.css">
<div id="page"><p class="empty">The ${name} needs JavaScript.</p></div>
<script type="module" src="/${name}/page.js"></script>
</html>
`;

const scripts = new Map<PageName, Promise<string>>();

/** The page's program. Published, it was put together with the package; in a checkout, when it is first asked for. */
function pageScript(name: PageName): Promise<string> {
  const script = scripts.get(name) ?? loadScript(name);
  scripts.set(name, script);
  return script;
}

async function loadScript(name: PageName): Promise<string> {
  const built = assetFile(`${name}/page.js`);
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const { bundlePage } = (await import(assetFile('../scripts/bundle-page.ts').href)) as {
    bundlePage: (name: PageName) => Promise<string>;
  };
  return await bundlePage(name);
}

/** Its own stylesheets, from `src`, in this order: the desk shows chats, too. */
const styles: Readonly<Record<PageName, readonly string[]>> = {
  viewer: ['viewer/page/page.css'],
  desk: ['viewer/page/page.css', 'report/render/page/sections.css', 'desk/page/page.css'],
};
