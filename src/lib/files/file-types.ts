import { decoded } from '../text/decoded.ts';

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
  'image/x-icon': 'ico',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov',
  'video/mpeg': 'mpg mpeg',
  'video/ogg': 'ogv',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
  'video/3gpp': '3gp 3gpp',
  'video/x-ms-wmv': 'wmv',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/webm': 'weba',
  'audio/x-caf': 'caf',
  'audio/x-ms-wma': 'wma',
  'text/plain': 'txt log',
  'text/csv': 'csv',
  'text/html': 'html htm',
  'text/markdown': 'md',
  'text/vcard': 'vcf',
  'text/calendar': 'ics',
  'text/javascript': 'js mjs',
  'multipart/related': 'mht mhtml',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xhtml+xml': 'xhtml',
  'application/xml': 'xml xsl',
  'application/epub+zip': 'epub',
  'application/zip': 'zip',
  'application/vnd.rar': 'rar',
  'application/x-7z-compressed': '7z',
  'application/gzip': 'gz tgz',
  'application/rtf': 'rtf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.android.package-archive': 'apk',
};

const types = new Map(
  Object.entries(endings).flatMap(([type, names]) => names.split(' ').map((ending) => [ending, type] as const)),
);

/** The type that the end of a name says: `image/png` of `a.PNG`. Undefined where it says none. */
export function typeFromName(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : types.get(name.slice(dot + 1).toLowerCase());
}

/** The usual ending of a type, without its dot: `jpg` of `image/jpeg; name=a`. Undefined where it has none. */
export function endingForType(type: string): string | undefined {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  return Object.hasOwn(endings, plain) ? endings[plain]!.split(' ')[0] : undefined;
}

/** `image/png`, and nothing that is a path. */
export const isMediaType = (text: string): boolean =>
  /^(?:image|video|audio|text|application|font|model|multipart)\/[\w.+-]+(?:;.*)?$/i.test(text);

/** Whether a type is what servers write if they know none. */
export const saysNothing = (type: string): boolean =>
  type === '' ||
  /^(?:application|binary)\/(?:octet-stream|force-download|x-download|(?:x-)?unknown)(?:$|[;\s])/i.test(type);

/** Words that platforms use for kinds of files, as parts of such names as `PLUS_AUDIO_V2` and `voiceRecording`; each with the type of a file whose name does not say it. */
const kinds: readonly (readonly [words: RegExp, usual: string])[] = [
  [/^(?:audio|voice|voicemail|sound|music|speech|ptt)$/, 'audio/mpeg'],
  [/^(?:video|movie|film|animation|reel)$/, 'video/mp4'],
  [/^(?:gif|giphy)$/, 'image/gif'],
  [/^sticker$/, 'image/webp'],
  [/^(?:image|picture|photo|img|pic)s?$/, 'image/jpeg'],
];

/** Returns the usual type of a kind that a word names: `audio/mpeg` of `PLUS_AUDIO_V2`. Undefined for `file`, `document` and the like. */
function usualType(word: string): string | undefined {
  const parts = word
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/);
  return kinds.find(([words]) => parts.some((part) => words.test(part)))?.[1];
}

/** As an attachment has them; `mimeType` may be a word such as `kind`. */
type FileWords = Readonly<Partial<Record<'name' | 'url' | 'mimeType' | 'kind', string | undefined>>>;

/** Containers of sounds as well as films. */
const container = /^(?:audio|video)(?=\/(?:mp4|ogg|webm|3gpp2?)\b)/i;

const familyOf = (type: string): string => type.slice(0, type.indexOf('/')).toLowerCase();

/**
 * Returns the media type of a file: as the row says it, else by the end of its name, else by that of its address. A kind
 * that the row names decides whether an MP4 is a film or a sound, and is the type, in its commonest form, if neither
 * name nor address shows a picture, a film, a sound or a document. Undefined if nothing says what it is.
 */
export function findMediaType({ name = '', url = '', mimeType = '', kind = '' }: FileWords): string | undefined {
  const said = [mimeType.trim(), kind.trim()].find((word) => isMediaType(word) && !saysNothing(word));
  const usual = usualType(kind) ?? usualType(mimeType);
  const named = [name, lastPart(url), `.${kind}`, `.${mimeType}`].map(typeFromName).find((type) => type !== undefined);
  const ending = said ?? named;
  if (ending === undefined || usual === undefined) return ending ?? usual;
  const family = familyOf(usual);
  if (family !== 'image' && container.test(ending)) return ending.replace(container, family);
  return said === undefined && familyOf(ending) === 'text' ? usual : ending;
}

/** The end of the path of an address; empty if it has none. One of data itself may have megabytes. */
const lastPart = (url: string): string =>
  decoded(/^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*)?([^?#]*)/i.exec(url.slice(0, 4096))![1]!.split('/').at(-1)!);
