import type { Attachment } from '../../model/records.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './format.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';

/** The files of a message, and those of messages shared in it. Exports hold addresses only. */
export function filesOf(message: Untrusted<SlackMessage>): Attachment[] {
  const files: Attachment[] = [];
  addFiles(asArray(message.files), files);
  if (message.file !== undefined) addFiles([message.file], files);
  for (const value of asArray(message.attachments)) {
    const card = asObject<SlackAttachment>(value);
    if (card?.files !== undefined && !isPreview(card)) addFiles(asArray(card.files), files);
  }
  return files;
}

function addFiles(values: readonly unknown[], files: Attachment[]): void {
  for (const value of values) {
    const file = asObject<SlackFile>(value);
    if (file) files.push(toAttachment(file));
  }
}

function toAttachment(file: Untrusted<SlackFile>): Attachment {
  const id = asString(file.id);
  const unavailable = unavailableBecause(file);
  // An external file has an address, but it leads to a page of another service, not to the file.
  const url = unavailable === undefined || unavailable === 'external' ? addressOf(file) : undefined;
  const mimeType = asString(file.mimetype);
  const sizeBytes = unavailable === 'external' ? undefined : asCount(file.size);
  return {
    ...(id !== undefined && { id }),
    name: nameOf(file) ?? id ?? 'file',
    ...(url !== undefined && { url }),
    ...(mimeType !== undefined && { mimeType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(unavailable !== undefined && { unavailable }),
  };
}

/** A canvas or snippet without a name is called `Untitled` or `-.r`: then its title says more. */
function nameOf(file: Untrusted<SlackFile>): string | undefined {
  const name = asString(file.name);
  const title = asString(file.title);
  return name === undefined || name === 'Untitled' || name.startsWith('-.') ? (title ?? name) : name;
}

const addressOf = (file: Untrusted<SlackFile>) =>
  asString(file.url_private) ??
  asString(file.url_private_download) ??
  asString(file.permalink_public) ??
  asString(file.permalink);

function unavailableBecause({ mode, file_access, is_external }: Untrusted<SlackFile>): string | undefined {
  if (mode === 'tombstone' || file_access === 'file_not_found') return 'deleted';
  if (mode === 'hidden_by_limit') return 'hidden-by-limit';
  if (file_access === 'access_denied' || file_access === 'check_file_info') return 'access-denied';
  return mode === 'external' || is_external === true ? 'external' : undefined;
}

/** Title of one of the message's files, for a canvas that its text names by id. */
export function fileTitle(message: Untrusted<SlackMessage>, id: string): string {
  const file = asArray(message.files)
    .map((value) => asObject<SlackFile>(value))
    .find((candidate) => candidate?.id === id);
  return asString(file?.title) ?? asString(file?.name) ?? id;
}

/**
 * A link preview: Slack's rendering of a page whose address stands in the text anyway. A message that somebody shared
 * (`is_share`) is not one, though it looks like it: it is what they wanted to show.
 */
export const isPreview = (card: Untrusted<SlackAttachment>): boolean =>
  card.is_share !== true && (card.is_msg_unfurl === true || asString(card.from_url) !== undefined);
