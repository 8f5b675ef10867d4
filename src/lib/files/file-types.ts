/** Endings of the files that people send, by what the registry of media types calls them: https://www.iana.org/assignments/media-types (2026-11). */
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg jpeg jpe jfif',
  'image/png': 'png apng',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
  'video/3gpp': '3gp 3gpp',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'text/plain': 'txt log',
  'text/csv': 'csv',
  'text/html': 'html htm',
  'text/markdown': 'md',
  'text/vcard': 'vcf',
  'text/calendar': 'ics',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/rtf': 'rtf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.android.package-archive': 'apk',
};

const types = new Map(
  Object.entries(endings).flatMap(([type, names]) => names.split(' ').map((ending) => [ending, type] as const)),
);

/** The type that the end of a name says, for files of which nothing else does: `image/png` of `a.PNG`. Undefined where it says none. */
export const typeFromName = (name: string): string | undefined =>
  types.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** The usual ending of a type, without its dot: `jpg` of `image/jpeg; name=a`. Undefined where it has none. */
export function endingForType(type: string): string | undefined {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  return Object.hasOwn(endings, plain) ? endings[plain]!.split(' ')[0] : undefined;
}

/** `image/png`, and nothing that is a path. */
export const isMediaType = (text: string): boolean =>
  /^(?:image|video|audio|text|application|font|model|multipart)\/[\w.+-]+(?:;.*)?$/i.test(text);
