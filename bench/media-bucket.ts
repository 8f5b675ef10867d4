/**
 * A bucket that keeps only the facts of a file that are asked for later, not its bytes. Its own cost is small compared
 * with what is measured. Prints its address, and ends when its input ends.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Kept {
  readonly bytes: number;
  readonly sha256: string;
}

const objects = new Map<string, Kept>();
const uploads = new Map<string, { readonly sha256: string; bytes: number }>();

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.stdin.resume().on('end', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  const { pathname, searchParams: query } = new URL(request.url!, 'http://bucket');
  const sha256 = String(request.headers['x-amz-meta-sha256'] ?? '');
  const upload = uploads.get(query.get('uploadId') ?? '');
  if (query.has('list-type')) response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  else if (upload) inParts(request, response, { upload, pathname, bytes });
  else if (query.has('uploads')) begin(request, response, sha256);
  else if (request.method === 'PUT') {
    objects.set(pathname, { bytes, sha256 });
    response.writeHead(200, { etag: '"a"' }).end();
  } else head(response, objects.get(pathname));
}

function begin({ method }: IncomingMessage, response: ServerResponse, sha256: string): void {
  if (method === 'GET') return void response.end('<ListMultipartUploadsResult></ListMultipartUploadsResult>');
  const id = String(uploads.size);
  uploads.set(id, { sha256, bytes: 0 });
  response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function inParts(
  { method }: IncomingMessage,
  response: ServerResponse,
  { upload, pathname, bytes }: { upload: { sha256: string; bytes: number }; pathname: string; bytes: number },
): void {
  if (method === 'PUT') {
    upload.bytes += bytes;
    return void response.writeHead(200, { etag: '"a"' }).end();
  }
  objects.set(pathname, upload);
  response.end('<CompleteMultipartUploadResult><ETag>"a"</ETag></CompleteMultipartUploadResult>');
}

function head(response: ServerResponse, kept: Kept | undefined): void {
  if (!kept) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': kept.bytes, 'x-amz-meta-sha256': kept.sha256 }).end();
}
