import type { LostPart } from '../../model/lost-parts.ts';
import type { Attachment } from '../../model/records.ts';
import type { SlackAttachment, SlackFile, SlackMessage } from './format.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';

/** How files are read, and how losses are reported. */
export interface FileContext {
  /** Whether addresses keep the token that Slack put behind them. */
  readonly keepsTokens: boolean;
  /** Counts what is not migrated. */
  lose(part: LostPart, count?: number): void;
}

/** The files of a message, and those of messages shared in it. Exports hold addresses only. */
export function readFiles(message: Untrusted<SlackMessage>, context: FileContext): Attachment[] {
  const files: Attachment[] = [];
  addFiles(asArray(message.files), files, context);
  if (message.file !== undefined) addFiles([message.file], files, context);
  for (const value of asArray(message.attachments)) {
    const card = asObject<SlackAttachment>(value);
    if (card?.files !== undefined && !isSurvey(card)) addFiles(asArray(card.files), files, context);
  }
  return files;
}

function addFiles(values: readonly unknown[], files: Attachment[], context: FileContext): void {
  for (const value of values) {
    const file = asObject<SlackFile>(value);
    if (file) files.push(toAttachment(file, context));
  }
}

function toAttachment(file: Untrusted<SlackFile>, context: FileContext): Attachment {
  const id = asString(file.id);
  const unavailable = unavailableBecause(file);
  // An external file has an address, but it leads to a page of another service, not to the file.
  const address = unavailable === undefined || unavailable === 'external' ? addressOf(file) : undefined;
  const url = address === undefined ? undefined : withoutToken(address, context);
  if (asString(file.preview) !== undefined) context.lose('snippets');
  const sizeBytes = unavailable === 'external' ? undefined : asCount(file.size);
  return {
    ...(id !== undefined && { id }),
    name: nameOf(file) ?? id ?? 'file',
    ...(url !== undefined && { url }),
    mimeType: asString(file.mimetype),
    kind: asString(file.subtype) ?? asString(file.filetype),
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

/**
 * Removes the token that exports append to the addresses of files, a different one in each export. With it, anyone who
 * has the address can open the file.
 *
 * https://files.slack.com/files-pri/T061A2UFL-F061AT0CX/fritz.jpg?t=xoxe-1-abc
 */
export function withoutToken(url: string, context: FileContext): string {
  if (context.keepsTokens || !url.includes('=xox')) return url;
  context.lose('fileTokens');
  const [address = '', query = ''] = url.split('?', 2);
  const kept = query.split('&').filter((part) => !/^[^=]*=xox[a-z]/i.test(part));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
}

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
 * Whether a card is a link preview: made by Slack, or by an app of the page, of an address that is in the text anyway.
 * A message that a person shared (`is_share`) is not one, though it looks like it: the person wanted to show it.
 */
export const isSurvey = (card: Untrusted<SlackAttachment>): boolean =>
  card.is_share !== true &&
  (card.is_msg_unfurl === true ||
    card.is_app_unfurl === true ||
    asString(card.app_unfurl_url) !== undefined ||
    asString(card.original_url) !== undefined ||
    asString(card.from_url) !== undefined);
