import type { ExportInput } from '../../io/input/export-input.ts';
import { asBuffer } from '../../io/bytes.ts';
import { parseJson, withDefaults } from '../../io/json/json-element.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';
import { problemEntry, recordEntry, type RowProblem } from '../kit/entries.ts';
import { jsonRowFault } from '../kit/rows/json-rows.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { asArray, asId, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { Channel } from './channel.ts';
import { channelFacts } from './format.ts';

interface ChannelJson {
  readonly type: string | number;
  readonly name: string;
  readonly guild: { readonly name: string };
  readonly recipients: readonly string[];
}

interface AccountJson {
  readonly id: string;
  readonly username: string;
  readonly global_name: string;
  readonly email: string;
}

/** Facts of a package about its channels and its account, some hundred bytes each. */
export class Package {
  readonly account: string | undefined;
  readonly #entries = new Map<string, Entry[]>();
  readonly #channels = new Map<string, Channel>();
  readonly #names = new Map<string, string>();

  /** @param files What the small files hold, by their paths, or why it cannot be read. @param account As the mapping says. */
  constructor(
    files: ReadonlyMap<string, unknown>,
    faults: ReadonlyMap<string, RowProblem>,
    account: string | undefined,
  ) {
    const channels = [...files].filter(([path]) => channelFacts.test(path));
    const owner = [...files].find(([path]) => isAccount(path));
    const user = owner && readAccount(owner[1]);
    this.account = user?.id ?? account ?? mostFrequent(channels.map(([, value]) => readRecipients(value)));
    const index =
      asObject<Record<string, string>>([...files].find(([path]) => /(?:^|\/)index\.json$/.test(path))?.[1]) ?? {};
    for (const [path, { code, reason }] of faults) this.#entries.set(path, [problemEntry(code, reason, { path })]);
    if (user) this.#describe(owner[0], user);
    for (const [path, value] of channels) {
      try {
        this.#addChannel(path, value, asString(index[channelFacts.exec(path)![1]!]));
      } catch (error) {
        const into = [...this.entriesOf(path)];
        leaveOutRow(error, { into, begin: into.length, location: { path } });
        this.#entries.set(path, into);
      }
    }
    if (this.account === undefined && channels.length > 0) {
      const path = channels.at(-1)![0];
      const reason = 'The owner of this package is unknown: set "account" in the mapping';
      this.#entries.get(path)!.push(problemEntry('discord-no-account', reason, { path }));
    }
  }

  /** Returns the entries of a file of the package, except messages. */
  entriesOf(path: string): readonly Entry[] {
    return this.#entries.get(path) ?? [];
  }

  channel(id: string): Channel {
    const unknown = { kind: 'conversation', id, type: 'private', name: id, members: [] as string[] } as const;
    return this.#channels.get(id) ?? { conversation: unknown, isDescribedElsewhere: true };
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  #describe(path: string, user: UserRecord): void {
    if (this.#names.has(user.id)) return;
    this.#names.set(user.id, user.name);
    this.#entries.set(path, [...this.entriesOf(path), recordEntry(user, { path })]);
  }

  #addChannel(path: string, value: unknown, title: string | undefined): void {
    const id = channelFacts.exec(path)![1]!;
    const conversation = readConversation(id, asObject<ChannelJson>(value) ?? {}, title);
    this.#channels.set(id, { conversation, isDescribedElsewhere: true });
    this.#entries.set(path, [recordEntry(conversation, { path })]);
    const other = conversation.members.filter((member) => member !== this.account);
    const name = /^Direct Message with (.{1,100})$/.exec(title ?? '')?.[1]?.replace(/#0$/, '');
    const isSomebody = conversation.type === 'direct' && other.length === 1 && name !== undefined;
    if (isSomebody && !name.startsWith('Deleted User')) {
      const [, shown = name] = /^(.+)#\d{4}$/.exec(name) ?? [];
      this.#describe(path, { kind: 'user', id: other[0]!, name: shown, handle: name });
    }
  }
}

const isAccount = (path: string): boolean => /(?:^|\/)user\.json$/.test(path);

function readAccount(value: unknown): UserRecord | undefined {
  const user = asObject<AccountJson>(value);
  const id = asId(user?.id);
  if (user === undefined || id === undefined) return undefined;
  const handle = asString(user.username);
  const email = asString(user.email);
  const name = asString(user.global_name) ?? handle ?? id;
  return { kind: 'user', id, name, ...(handle !== undefined && { handle }), ...(email !== undefined && { email }) };
}

/** Ids; of some people nothing is left but `Deleted User`. */
const readRecipients = (value: unknown): string[] =>
  asArray(asObject<ChannelJson>(value)?.recipients).flatMap((one) => {
    const id = asId(one);
    return id !== undefined && /^\d{1,20}$/.test(id) ? id : [];
  });

/** Who is in more conversations than anybody else. */
function mostFrequent(lists: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>();
  for (const id of lists.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

function readConversation(id: string, channel: Untrusted<ChannelJson>, title: string | undefined): ConversationRecord {
  const kind = asWord(channel.type);
  const type = /^(?:1|DM)$/.test(kind) ? 'direct' : /^(?:3|GROUP_DM)$/.test(kind) ? 'group-direct' : 'private';
  const server = asString(asObject<ChannelJson['guild']>(channel.guild)?.name);
  const titled = server !== undefined && title?.endsWith(` in ${server}`) ? title.slice(0, -server.length - 4) : title;
  return {
    kind: 'conversation',
    id,
    type,
    name: type === 'direct' ? '' : (asString(channel.name) ?? titled ?? id),
    ...(server !== undefined && { metadata: { server } }),
    members: type === 'private' ? [] : readRecipients(channel),
  };
}

/** More than a channel says of itself; the account's file has a list of all its friends. */
const factsBytesMax = 16 * 1024 * 1024;

/** Reads the small files of a package. */
export async function readPackage(
  input: ExportInput,
  paths: readonly string[],
  { account, signal }: { readonly account: string | undefined; readonly signal: AbortSignal },
): Promise<Package> {
  const files = new Map<string, unknown>();
  const faults = new Map<string, RowProblem>();
  for (const path of paths) {
    signal.throwIfAborted();
    try {
      const found = parseJson(asBuffer(await input.read(path, factsBytesMax)), 0, withDefaults({}));
      if ('fault' in found) faults.set(path, jsonRowFault(found.fault));
      else files.set(path, found.value);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      faults.set(path, { code: 'unreadable-file', reason: error.message });
    }
  }
  return new Package(files, faults, account);
}
