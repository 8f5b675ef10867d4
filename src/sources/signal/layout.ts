import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import type { PathVerdict } from '../kit/files/paths.ts';
import { readHead } from './markdown-row.ts';

/** Layout of a file. */
export type Layout = 'backup' | 'data' | 'markdown' | 'desktop-lines' | 'desktop-list' | 'desktop-hollow';

/** A layout that messages can be read of. */
export type ReadableLayout = Exclude<Layout, 'desktop-hollow'>;

const headBytes = 16 * 1024;

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Files by their layout, and what is done with the others. */
export class Layouts {
  readonly #found = new Map<string, Layout>();
  readonly #folders = new Set<string>();
  readonly #backups: readonly string[];

  static async of(input: ExportInput, paths: readonly string[]): Promise<Layouts> {
    const found = new Map<string, Layout>();
    for (const path of paths) {
      if (paths.length > 1 && !mayBe.test(path)) continue;
      const layout = await readLayout(input, path);
      if (layout) found.set(path, layout);
    }
    return new Layouts(found);
  }

  private constructor(found: ReadonlyMap<string, Layout>) {
    for (const [path, layout] of found) this.#found.set(path, layout);
    for (const [path, layout] of found)
      if (layout === 'data' || layout === 'markdown') this.#folders.add(folderOf(path));
    this.#backups = [...found].filter(([, layout]) => layout === 'backup').map(([path]) => folderOf(path));
  }

  judgePath(path: string): PathVerdict<ReadableLayout> {
    const layout = this.#found.get(path);
    const folder = folderOf(path);
    const isBesideChat = this.#folders.has(folder);
    if (/(?:^|\/)media\/[^/]+$/.test(path) && this.#folders.has(folder.replace(/media\/$/, ''))) return besideMessages;
    if (this.#backups.some((base) => path.startsWith(`${base}files/`))) return besideMessages;
    if (layout === 'markdown' && this.#hasData(folder)) return { skip: 'The same as text; data.json is read' };
    if (layout === 'desktop-hollow') return { chat: hollow };
    if (layout) return layout;
    if (isBesideChat && /^index(?:\d*)\.html$/i.test(fileOf(path)))
      return { skip: 'The same as pages; the text is read' };
    if (this.#folders.size > 0 && /(?:^|\/)exported_stickers\//.test(path)) return besideMessages;
    if (this.#folders.size > 0 && /(?:^|\/)(?:style\.css|chat\.js|\.signal-export[^/\s]*)$/.test(path))
      return { skip: 'Look of the pages' };
    if (this.#backups.includes(folder) && /^metadata(?:\.json)?$/.test(fileOf(path)))
      return { skip: 'About the export' };
    return undefined;
  }

  #hasData(folder: string): boolean {
    return [...this.#found].some(([path, layout]) => layout === 'data' && folderOf(path) === folder);
  }
}

const hollow =
  'Rows of Signal Desktop without text, time and chat: since version 7.42 these are in other columns of its database, which sigtop left out. Take the export in plain text of Signal itself, or signal-export';

const besideMessages = { skip: 'File of a message, which names it' } as const;
const mayBe = /(?:^|\/)(?:[^/]+\.jsonl|[^/]+\.ndjson|[^/]+\.json|[^/]+\.md|[^/]+\.txt)$/i;

/** Returns the layout by the beginning of a file. A file with such a name that cannot be read may have contained messages. */
export async function readLayout(input: ExportInput, path: string): Promise<Layout | undefined> {
  const text = new TextDecoder().decode(await headOrNothing(input, path, headBytes)).trimStart();
  if (text === '') return layoutByName(path);
  // A chat as text may begin with the brackets of its first time.
  const isText = /\.(?:md|txt)$/i.test(path);
  if (text.startsWith('{') || (isText ? /^\[\s*\{/ : /^\[/).test(text))
    return decideByOutline(input, path, headBytes, jsonLayout);
  if (!isText) return undefined;
  const heads = text.split('\n').flatMap((line) => readHead(line.trimEnd()) ?? []);
  if (/(?:^|\/)(?:chat|index)\.md$/i.test(path)) return heads.length > 0 ? 'markdown' : undefined;
  // The comma, without seconds, is signal-export's own; otherwise many programs begin lines so, and `_chat.txt` is WhatsApp's.
  const isOwn = heads.filter(({ time }) => /, \d\d:\d\d\]$/.test(time)).length > 1;
  return isOwn && !/(?:^|\/)_chat\b[^/]*$/i.test(path) ? 'markdown' : undefined;
}

function layoutByName(path: string): Layout | undefined {
  if (/\.jsonl$/i.test(path)) return 'backup';
  if (/\.md$/i.test(path)) return 'markdown';
  if (/(?:^|\/)data\.json$/i.test(path)) return 'data';
  return /\.json$/i.test(path) ? 'desktop-list' : undefined;
}

function jsonLayout({ head: text, outline, isWhole }: FileOutline): Layout | undefined {
  const keys = outline.get('');
  const has = (...wanted: string[]) => wanted.every((key) => keys?.has(key));
  if (has('backupTimeMs', 'version') || (has('recipient') && has('account'))) return 'backup';
  if (has('chatItem') && outline.get('/chatItem')?.has('dateSent') === true) return 'backup';
  if (text.startsWith('{') && has('date', 'sender', 'body', 'reactions', 'attachments')) return 'data';
  const isDesktop =
    has('conversationId', 'sent_at', 'type') && keys!.get('type')?.some((type) => desktopTypes.test(type));
  if (isDesktop) return text.startsWith('[') ? 'desktop-list' : 'desktop-lines';
  const isHollow = !has('conversationId') && !has('sent_at') && !has('body');
  const own = ofDesktop.filter((key) => has(key)).length;
  return isWhole && isHollow && own >= ofDesktopMin ? 'desktop-hollow' : undefined;
}

/** Keys of Desktop's rows that no other program has, and how many of them are enough. */
const ofDesktop = [
  ...['sendStateByConversationId', 'unidentifiedDeliveries', 'sendHQImages', 'hasAttachments', 'bodyRanges'],
  ...['unidentifiedDeliveryReceived', 'serverTimestamp', 'schemaVersion', 'readStatus', 'seenStatus', 'serverGuid'],
];
const ofDesktopMin = 3;

const desktopTypes =
  /^(?:incoming|outgoing|call-history|keychange|group-v1-migration|group-v2-change|profile-change|verified-change|timer-notification|story|conversation-merge|phone-number-discovery|title-transition-notification|chat-session-refreshed|delivery-issue|message-request-response-event|contact-removed-notification|change-number-notification|joined-signal-notification|universal-timer-notification)$/;

/** Returns the title of a chat of signal-export: the name of its folder, or of the export if the folder is the whole export. */
export function findTitle(input: Pick<ExportInput, 'label' | 'key'>, path: string): string {
  const folder = folderOf(path).split('/').at(-2);
  const outside = input.label === path ? input.key.split(/[/\\]/).at(-2) : input.label.replace(/\.zip$/i, '');
  return folder || outside || 'chat';
}
