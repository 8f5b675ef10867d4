import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment, ChatRecord } from '../../../src/model/records.ts';
import { someBytes } from '../media-content.ts';
import { channel, person, says, writeRecords } from '../write-records.ts';
import type { FileServer } from './file-server.ts';

/** Expected copy of a message's file: the digest of the served bytes, or the reason why it cannot be copied. */
export type Wanted = { readonly sha256: string } | 'missing' | 'refused';

interface MadeFile {
  readonly attachment: Attachment;
  readonly wanted: Wanted;
}

export interface OldSystem {
  /** The export. */
  readonly path: string;
  /** Messages by conversation, in their order. */
  readonly messages: ReadonlyMap<string, readonly { readonly text: string; readonly files: readonly Wanted[] }[]>;
  /** Files of all messages, each as often as messages have it. */
  readonly uses: readonly Wanted[];
  /** Bytes of each content, by digest. */
  readonly sizes: ReadonlyMap<string, number>;
}

const hosts = ['one.test', 'two.test', 'three.test', 'expiring.test'];
const endings = { png: 'image/png', txt: 'text/plain', bin: 'application/octet-stream' } as const;
const conversationCount = 5;
/** Goes to a bucket in parts. */
const largeBytes = 64 * 1024 ** 2 + 1;

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * An export of our own records whose messages have some hundred files: at addresses of four hosts, of which one has addresses that expire, and in the
 * export itself. Some contents come twice, some files are in two messages; some are gone, some need a login, some are at addresses
 * that are never asked. One goes in parts.
 */
export function makeOldSystem(folder: string, server: FileServer, fileCount: number): OldSystem {
  const path = join(folder, 'export');
  mkdirSync(join(path, 'files'), { recursive: true });
  const maker = new Maker(path, server);
  const made = Array.from({ length: fileCount }, (_, index) => maker.file(index));
  const messages = new Map<string, { text: string; files: Wanted[] }[]>();
  const records: ChatRecord[] = [person('ann'), ...conversations().map((id) => channel(id, { members: ['ann'] }))];
  for (let at = 0, number = 1; at < made.length; at += number % 4, number++) {
    const files = made.slice(at, at + (number % 4));
    const conversation = `c${number % conversationCount}`;
    const text = `Message ${number}`;
    records.push(says(number, conversation, 'ann', text, { attachments: files.map(({ attachment }) => attachment) }));
    messages.set(conversation, [
      ...(messages.get(conversation) ?? []),
      { text, files: files.map(({ wanted }) => wanted) },
    ]);
  }
  writeRecords(join(path, 'export.ndjson'), records);
  return { path, messages, uses: made.map(({ wanted }) => wanted), sizes: maker.sizes };
}

const conversations = (): string[] => Array.from({ length: conversationCount }, (_, index) => `c${index}`);

class Maker {
  readonly sizes = new Map<string, number>();
  readonly #path: string;
  readonly #server: FileServer;
  #last: { readonly bytes: Buffer; readonly made: MadeFile } | undefined;

  constructor(path: string, server: FileServer) {
    this.#path = path;
    this.#server = server;
  }

  /** Twenty kinds, one after the other. */
  file(index: number): MadeFile {
    const kind = index % 20;
    if (kind === 16) return this.#served(index, this.#last!.bytes, 'bin');
    if (kind === 17) return this.#last!.made;
    if (kind === 18) return index % 40 === 18 ? this.#lost(index, 'gone') : unasked(index);
    if (kind === 19 && index % 100 === 99) return this.#lost(index, 'login');
    const ending = kind === 15 ? 'bin' : (['png', 'txt', 'bin'] as const)[index % 3]!;
    const bytes = index === 52 ? Buffer.alloc(largeBytes, 'large ') : bytesOf(index, ending);
    const made = kind >= 12 && kind < 15 ? this.#inExport(index, bytes, ending) : this.#served(index, bytes, ending);
    this.#last = { bytes, made };
    return made;
  }

  #served(index: number, bytes: Buffer, ending: keyof typeof endings): MadeFile {
    const host = hosts[index % hosts.length]!;
    const expires = host === 'expiring.test' ? `?ex=7${index.toString(16).padStart(7, '0')}&is=65c68ede&hm=24` : '';
    const file = { kind: 'there', bytes, type: endings[ending], hasRanges: index % 2 === 0 } as const;
    const url = this.#server.add(host, `/f/${index}.${ending}${expires}`, file);
    return this.#made(url, `${index}.${ending}`, bytes, endings[ending]);
  }

  #inExport(index: number, bytes: Buffer, ending: keyof typeof endings): MadeFile {
    const name = `${index}.${ending}`;
    writeFileSync(join(this.#path, 'files', name), bytes);
    return this.#made(`files/${name}`, name, bytes, endings[ending]);
  }

  #made(url: string, name: string, bytes: Buffer, mimeType: string): MadeFile {
    const sha256 = digestOf(bytes);
    this.sizes.set(sha256, bytes.length);
    return { attachment: { url, name, mimeType, sizeBytes: bytes.length }, wanted: { sha256 } };
  }

  #lost(index: number, kind: 'gone' | 'login'): MadeFile {
    const url = this.#server.add('one.test', `/f/${index}.png`, { kind });
    const attachment = { url, name: `${index}.png`, mimeType: 'image/png' };
    return { attachment, wanted: kind === 'gone' ? 'missing' : 'refused' };
  }
}

const unasked = (index: number): MadeFile => ({
  attachment: { url: `http://10.0.0.1/${index}.png`, name: `${index}.png` },
  wanted: 'refused',
});

const pictureBegin = Buffer.from('89504e470d0a1a0a', 'hex');

/** Some are larger than others: up to 50 KB, and every fiftieth 1 MB. */
function bytesOf(index: number, ending: string): Buffer {
  const length = index % 50 === 7 ? 1_000_000 : 100 + ((index * 7919) % 50_000);
  const bytes = someBytes(length, index + 1);
  if (ending === 'png') pictureBegin.copy(bytes);
  else if (ending === 'txt') bytes.fill('text ', 12);
  return bytes;
}
