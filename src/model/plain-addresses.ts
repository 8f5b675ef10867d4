import type { Attachment, ChatRecord } from './records.ts';

/** A web address with something around it: exports made by hand have blanks and line breaks there, and `HTTPS://`. */
const looseAddress = /^\s*https?:\/\/\S*\s*$/i;

const plain = (url: string): string => url.trim().replace(/^https?:/i, (scheme) => scheme.toLowerCase());

/** A path inside the export stays as it is: a file may be named with a blank. */
const isLoose = (url: string | undefined): url is string =>
  url !== undefined && looseAddress.test(url) && plain(url) !== url;

/** The record with every web address of a file or picture in its plain form; the same object if all have it. */
export function withPlainAddresses<R extends ChatRecord>(record: R): R {
  if (record.kind === 'user' && isLoose(record.avatarUrl)) return { ...record, avatarUrl: plain(record.avatarUrl) };
  if (record.kind === 'conversation' && isLoose(record.iconUrl)) return { ...record, iconUrl: plain(record.iconUrl) };
  if (record.kind !== 'message') return record;
  const { attachments, authorDetails } = record;
  const hasLooseFile = attachments?.some(({ url }) => isLoose(url)) === true;
  if (!hasLooseFile && !isLoose(authorDetails?.avatarUrl)) return record;
  return {
    ...record,
    ...(attachments && { attachments: attachments.map(plainFile) }),
    ...(authorDetails && { authorDetails: plainDetails(authorDetails) }),
  };
}

const plainFile = (file: Attachment): Attachment => (isLoose(file.url) ? { ...file, url: plain(file.url) } : file);

const plainDetails = <D extends { readonly avatarUrl?: string | undefined }>(details: D): D =>
  isLoose(details.avatarUrl) ? { ...details, avatarUrl: plain(details.avatarUrl) } : details;
