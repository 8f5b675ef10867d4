/** The little XML of a bucket: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html and its neighbours (2026-11). */

/** `<InitiateMultipartUploadResult>…<UploadId>…</UploadId></…>` */
export const uploadIdOf = (body: string): string | undefined => textOf(body, 'UploadId');

/**
 * Ids of the unfinished uploads of exactly this key.
 *
 *     <ListMultipartUploadsResult>…<Upload><Key>a/b%20c.jpg</Key><UploadId>VXBs…</UploadId>…</Upload>…
 */
export function leftUploads(body: string, key: string): string[] {
  const isUrl = textOf(body, 'EncodingType') === 'url';
  return body
    .split('<Upload>')
    .slice(1)
    .filter((upload) => keyOfEntry(textOf(upload, 'Key') ?? '', isUrl) === key)
    .flatMap((upload) => textOf(upload, 'UploadId') ?? []);
}

/**
 * The keys of a page, and where the next one begins, where there is one.
 *
 *     <ListBucketResult>…<NextContinuationToken>1ueG…</NextContinuationToken><Contents><Key>a.jpg</Key>…</Contents>…
 */
export function listedKeys(body: string): { readonly keys: readonly string[]; readonly next: string | undefined } {
  const isUrl = textOf(body, 'EncodingType') === 'url';
  const keys = body
    .split('<Contents>')
    .slice(1)
    .map((entry) => keyOfEntry(textOf(entry, 'Key') ?? '', isUrl));
  const next = textOf(body, 'IsTruncated') === 'true' ? textOf(body, 'NextContinuationToken') : undefined;
  return { keys, next };
}

/** Some servers write a space as +, and a + as %2B in any case. */
function keyOfEntry(text: string, isUrl: boolean): string {
  if (!isUrl) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function textOf(body: string, element: string): string | undefined {
  const start = body.indexOf(`<${element}>`);
  const end = start < 0 ? -1 : body.indexOf(`</${element}>`, start);
  return end < 0 ? undefined : plain(body.slice(start + element.length + 2, end));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (found, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? found;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @param tags Of the parts from 1, as the bucket gave them. */
export function partListXml(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
}
