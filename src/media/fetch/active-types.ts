/**
 * Types that a browser runs: pages, drawings and documents that may hold scripts, scripts, archives of pages. Served
 * from a file host, they would run in that host's name.
 */
const active: ReadonlySet<string> = new Set([
  'text/html',
  'text/xml',
  'application/xml',
  'text/xsl',
  'application/hta',
  'application/wasm',
  'application/x-shockwave-flash',
  'message/rfc822',
  'multipart/related',
  'multipart/x-mixed-replace',
  'application/x-mimearchive',
  'text/x-component',
  'text/cache-manifest',
]);

/** The essences of JavaScript in the MIME Sniffing Standard, and a few more of their kind. */
const script = /^(?:text|application)\/(?:x-)?(?:(?:java|ecma|live|j|vb)script(?:1\.[0-5])?)$/;

/** @param type With or without parameters. */
export function isActiveType(type: string): boolean {
  const essence = essenceOf(type);
  return active.has(essence) || essence.endsWith('+xml') || script.test(essence);
}

/** Type served in place of one that must not run: browsers never show it, with or without the header that forbids it. */
const harmless = 'application/octet-stream';

/**
 * The type with which a file is to be answered to who opens its address. Active ones are as unknown as those that say
 * nothing, and go with `Content-Disposition: attachment`. (GitHub answers raw files as `text/plain` with a policy that
 * forbids scripts, Slack as attachments; a bucket knows no such policy, so the type alone has to do.)
 */
export function servedType(type: string): string {
  const essence = essenceOf(type);
  return essence === '' || isActiveType(essence) ? harmless : essence;
}

/** Returns `text/html` for `Text/HTML; charset=utf-8`; empty if the text is no type. RFC 6838 allows 127 characters on either side. */
export function essenceOf(type: string): string {
  const essence = type.split(';', 1)[0]!.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(essence) ? essence : '';
}
