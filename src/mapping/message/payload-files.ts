import type { Rules } from '../rules.ts';
import type { Facts, PictureFacts } from '../../model/facts.ts';
import { findMediaType } from '../../lib/files/file-types.ts';
import { isUsableUrl } from '../../service/profiles.ts';
import { extensionOf, messageType, type UnattachedFile, type WireAttachment } from './map-attachments.ts';
import { decoded } from '../../lib/text/decoded.ts';
import type { Attachment } from '../../model/records.ts';
import type { Metadata } from './metadata.ts';

/** A file of a message as it was planned: with an address of its own, or in the export. */
export type PlannedFile =
  | { readonly kind: 'address'; readonly attachment: WireAttachment }
  | {
      readonly kind: 'export';
      readonly path: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size?: string | undefined;
    };

export type SettledFile =
  /** It stays at this address. */
  | {
      readonly kind: 'copied';
      readonly url: string;
      readonly mimeType: string;
      readonly sizeBytes: number;
      readonly picture?: PictureFacts | undefined;
    }
  /** As it was planned: with its first address, or by its name where it had none. */
  | { readonly kind: 'original' }
  /** Its name, and why it is not attached. */
  | { readonly kind: 'name'; readonly why: string };

interface Payload {
  readonly category: string;
  readonly type: string;
  readonly data: {
    readonly text?: string;
    readonly attachments?: readonly WireAttachment[];
    readonly metadata?: { readonly chatferry?: Partial<Metadata> };
  };
}

/** The files of a planned message, in their order; behind them what a module attached besides. @param files JSON of `FileOrder`; null where all of them have addresses. */
export function listPayloadFiles(payload: string, files: string | null): PlannedFile[] {
  if (files === null && !payload.includes('"attachments":[')) return [];
  const { attachments = [] } = (JSON.parse(payload) as Payload).data;
  const order: FileOrder = files === null ? [...attachments.keys()] : (JSON.parse(files) as FileOrder);
  const found: PlannedFile[] = [];
  const known = new Set(order);
  for (const each of [...order, ...attachments.keys().filter((index) => !known.has(index))]) {
    if (typeof each !== 'number') found.push({ kind: 'export', ...each });
    else if (attachments[each]) found.push({ kind: 'address', attachment: attachments[each] });
  }
  return found;
}

/**
 * The payload of a message whose files were settled: what was copied is attached with its new address, in the order of the export, and
 * what could not be is attached as before, or named.
 *
 * @param planned The payload as it was planned.
 * @param settled What became of each of `files`.
 */
export function payloadWithFiles(
  planned: string,
  files: readonly PlannedFile[],
  settled: readonly SettledFile[],
  rules: Pick<Rules['messages'], 'attachments' | 'onlyFiles'>,
): string {
  const payload = JSON.parse(planned) as Payload;
  const attached: WireAttachment[] = [];
  const pictures: NonNullable<Metadata['media']> = [];
  const named = [...(payload.data.metadata?.chatferry?.files ?? [])];
  for (const [index, file] of files.entries()) {
    const became = settled[index]!;
    if (became.kind === 'copied') {
      if (became.picture) pictures.push({ file: attached.length, ...became.picture });
      attached.push(toAttachment(file, became));
      if (file.kind === 'export') removeName(named, file.name);
    } else if (file.kind === 'address') {
      if (became.kind === 'original') attached.push(file.attachment);
      else named.push({ name: file.attachment.name, why: became.why });
    } else if (became.kind === 'name') renameReason(named, file.name, became.why);
  }
  return JSON.stringify(withParts(payload, { attached, named, pictures, rules }));
}

/** Returns the mapping's counts of the message, with the files as they are attached by now. */
export function factsWithFiles(facts: Facts, before: string, after: string): Facts {
  const { onlyFiles, attachments = 0, filesWithoutAddress = 0, ...others } = facts;
  const countAttachments = (payload: string) => (JSON.parse(payload) as Payload).data.attachments?.length ?? 0;
  const more = countAttachments(after) - countAttachments(before);
  const [attachedNow, namedNow] = [attachments + more, filesWithoutAddress - more];
  return {
    ...others,
    ...(attachedNow > 0 && { attachments: attachedNow }),
    ...(namedNow > 0 && { filesWithoutAddress: namedNow }),
    ...(onlyFiles && countAttachments(after) === 0 && { onlyFiles }),
  };
}

function toAttachment(file: PlannedFile, became: Extract<SettledFile, { kind: 'copied' }>): WireAttachment {
  const { url, mimeType, sizeBytes } = became;
  const size = String(sizeBytes);
  // An attachment from a module may have further keys.
  if (file.kind === 'address') return { ...file.attachment, mimeType, size, url };
  return { name: file.name, extension: extensionOf(file.name), mimeType, size, url };
}

/** Two files of one name lose one entry each. */
function removeName(named: UnattachedFile[], name: string): void {
  const index = named.findIndex((entry) => entry.name === name);
  if (index >= 0) named.splice(index, 1);
}

function renameReason(named: UnattachedFile[], name: string, why: string): void {
  const index = named.findIndex((entry) => entry.name === name);
  if (index >= 0) named[index] = { name, why };
}

interface NewParts {
  readonly attached: readonly WireAttachment[];
  readonly named: readonly UnattachedFile[];
  readonly pictures: NonNullable<Metadata['media']>;
  readonly rules: Pick<Rules['messages'], 'attachments' | 'onlyFiles'>;
}

function withParts(payload: Payload, { attached, named, pictures, rules }: NewParts): Payload {
  const { text = '', attachments: old = [], metadata = {}, ...rest } = payload.data;
  const { files: before = [], ...chatferry } = metadata.chatferry ?? {};
  const isTyped = payload.category === 'message' && payload.type === messageType(old);
  return {
    ...payload,
    type: isTyped ? messageType(attached) : payload.type,
    data: {
      text: renamed(text, before, { attached, named, rules }),
      ...(attached.length > 0 && { attachments: attached }),
      ...rest,
      metadata: {
        ...metadata,
        chatferry: {
          ...chatferry,
          ...(named.length > 0 && { files: [...named] }),
          ...(pictures.length > 0 && { media: pictures }),
        },
      },
    },
  };
}

const formatFileLines = (files: readonly UnattachedFile[]): string => files.map(({ name }) => `📎 ${name}`).join('\n');

/** The text with the lines at its end that name files which are not attached, for other such files. */
function renamed(
  text: string,
  before: readonly UnattachedFile[],
  { attached, named, rules }: Omit<NewParts, 'pictures'>,
) {
  const lines = formatFileLines(before);
  const hasLines = lines !== '' && text.endsWith(lines);
  const written = hasLines ? text.slice(0, -lines.length).replace(/\n$/, '') : text;
  const isBlank = written.trim() === '';
  const isOnlyFiles = isBlank && attached.length === 0 && rules.onlyFiles !== 'blank';
  const namesThem = named.length > 0 && (rules.attachments === 'placeholder' || isOnlyFiles);
  if (!namesThem) return written;
  return isBlank ? formatFileLines(named) : `${written}\n${formatFileLines(named)}`;
}

export interface ExportedFile {
  /** Inside the input that the message was read from. */
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes, as text; absent if the export does not give the size. */
  readonly size?: string;
}

/** The files of a message that could be attached, in their order: of the export, or by their number among those that the payload attaches. */
export type FileOrder = readonly (ExportedFile | number)[];

/**
 * Returns the order of a message's files if some of them are in the export. Other files need no record: those with an
 * address are in the payload.
 */
export function toFileOrder(files: readonly Attachment[] | undefined): FileOrder | undefined {
  if (!files?.some(({ url }) => parseFilePath(url) !== undefined)) return undefined;
  const order: (ExportedFile | number)[] = [];
  let attached = 0;
  for (const { url, name, sizeBytes, ...file } of files) {
    if (isUsableUrl(url)) order.push(attached++);
    const path = parseFilePath(url);
    if (path !== undefined)
      order.push({
        path,
        name,
        mimeType: findMediaType({ ...file, url, name }) ?? '',
        ...(sizeBytes !== undefined && { size: String(sizeBytes) }),
      });
  }
  return order;
}

/** The path that an address is, as the kit of the sources writes it: relative, its segments encoded, without a scheme. */
const parseFilePath = (url: string | undefined): string | undefined =>
  !url || /^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(url) ? undefined : decoded(url);
