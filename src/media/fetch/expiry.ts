/**
 * Returns when an address stops working, from the address alone. Looked up 2026-11:
 *
 * - Amazon S3 and everything that signs as it does:
 *   https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * - Google Cloud Storage: https://cloud.google.com/storage/docs/access-control/signed-urls
 * - Discord: https://docs.discord.com/developers/reference (Signed Attachment CDN URLs)
 * - Azure, shared access signatures: https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 * - CloudFront (Stream among its customers), canned policies, and the older signatures of S3 and Google:
 *   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 * - Facebook and Instagram document nothing; their addresses have `oe` and `oh`, a time and a signature, both in hex.
 *
 * Slack's addresses do not expire: they need a token.
 *
 * @returns Epoch ms; undefined if the address contains no readable time.
 */
export function parseExpiry(url: string): number | undefined {
  if (!url.includes('?') || !URL.canParse(url)) return undefined;
  const query = new URL(url).searchParams;
  for (const read of readers) {
    const ms = read(query);
    // Beyond it no Date is: 8.64e15 is the last instant of ECMAScript.
    if (ms !== undefined && ms > 0 && ms <= 8.64e15) return ms;
  }
  return undefined;
}

type Reader = (query: URLSearchParams) => number | undefined;

const readers: readonly Reader[] = [
  (query) => signedFor(query, 'X-Amz'),
  (query) => signedFor(query, 'X-Goog'),
  // ?ex=65d903de&is=65c68ede&hm=2481f30d…
  (query) => (query.has('is') && query.has('hm') ? hexSeconds(query.get('ex')) : undefined),
  // ?sv=2022-11-02&se=2026-12-01T00%3A00%3A00Z&sig=…
  (query) => (query.has('sig') ? isoTime(query.get('se')) : undefined),
  // ?oh=00_AfC…&oe=65D8F2A1
  (query) => (query.has('oh') ? hexSeconds(query.get('oe')) : undefined),
  // ?Expires=1700000000&Signature=…&Key-Pair-Id=…
  (query) => epochSeconds(query.get('Expires')),
];

/** `X-Amz-Date=20261123T160000Z&X-Amz-Expires=3600`: when it was signed, and for how many seconds. */
function signedFor(query: URLSearchParams, vendor: 'X-Amz' | 'X-Goog'): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get(`${vendor}-Date`) ?? '');
  const seconds = /^\d{1,9}$/.exec(query.get(`${vendor}-Expires`) ?? '')?.[0];
  if (!parts || seconds === undefined) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(signedAt) ? undefined : signedAt + Number(seconds) * 1000;
}

const hexSeconds = (text: string | null): number | undefined =>
  /^[\da-f]{8}$/i.test(text ?? '') ? Number.parseInt(text ?? '', 16) * 1000 : undefined;

/** Ten digits: from 2001 to 2286. */
const epochSeconds = (text: string | null): number | undefined =>
  /^\d{10}$/.test(text ?? '') ? Number(text) * 1000 : undefined;

/** Azure takes a day alone too, and minutes without seconds; all are in UTC. */
function isoTime(text: string | null): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?Z)?$/.test(text ?? '')) return undefined;
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
