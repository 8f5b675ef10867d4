import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Journal } from '../../src/store/batches.ts';
import { Facts } from '../../src/store/facts.ts';
import { Files, type InputFiles } from '../../src/store/files.ts';
import { Conversations } from '../../src/store/conversations.ts';
import { People } from '../../src/store/people.ts';
import type { StagedConversation, StagedPerson, StagedRow } from '../../src/model/staged-item.ts';
import { openStore, type Store } from '../../src/store/open.ts';

export const nowMs = Date.parse('2026-11-21T12:00:00Z');

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-checkpoint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export const storePath = () => join(newFolder(), 'chatferry.db');

export function openTestStore(path = storePath()): Store {
  const store = openStore(path, { command: 'plan', nowMs });
  onTestFinished(() => store.close());
  return store;
}

/** The id under which a plan stages a file's rows. */
export const fileId = (files: InputFiles, path: string): number => files.find(path)?.id ?? files.newId();

/** Files of one input, finished; answers their ids in the order given. */
export function addFiles(db: Database, input: string, ...paths: string[]): number[] {
  const files = new Files(db, new Facts(db)).openInput(input);
  const ids = paths.map((path) => fileId(files, path));
  for (const [index, path] of paths.entries()) {
    files.close(ids[index]!, path, 'rows', undefined, { sizeBytes: 1, fingerprint: `of ${path}` });
  }
  files.flush();
  return ids;
}

export function personOf(sourceId: string, changes: Partial<StagedPerson> = {}): StagedPerson {
  const uid = sourceId.toLowerCase();
  return {
    sourceId,
    uid,
    name: sourceId,
    details: JSON.stringify({ uid }),
    record: '{}',
    isPlaceholder: false,
    ...changes,
  };
}

export function conversationOf(sourceId: string, changes: Partial<StagedConversation> = {}): StagedConversation {
  const guid = sourceId.toLowerCase();
  return {
    sourceId,
    type: 'public',
    name: sourceId,
    receiverType: 'group',
    guid,
    people: null,
    details: JSON.stringify({ guid }),
    record: '{"members":[]}',
    isPlaceholder: false,
    ...changes,
  };
}

/** Two people, a group and a one-to-one chat; ids in the store by their ids at the source. */
export function addCast(db: Database): { people: Record<string, number>; conversations: Record<string, number> } {
  const stored = new People(db);
  const people = Object.fromEntries(['U1', 'U2', 'U3'].map((id) => [id, stored.save(personOf(id))]));
  const store = new Conversations(db);
  const direct = conversationOf('D1', { type: 'direct', receiverType: 'user', people: ['U1', 'U2'] });
  const conversations = {
    C1: store.save(conversationOf('C1'), null),
    D1: store.save(direct, [people.U1!, people.U2!]),
  };
  return { people, conversations };
}

/** A planned row of C1 by U1; the text makes payload and digest. */
export function rowOf(id: number, text = 'hello', changes: Partial<StagedRow> = {}): StagedRow {
  return {
    muid: `m1${id}`,
    source: 'slack',
    workspace: 'T1',
    conversation: 'C1',
    sender: 'U1',
    originId: String(id),
    sentAtMs: nowMs + id * 1000,
    sortKey: String(id),
    editedAtMs: null,
    recordDigest: `digest of ${text}`,
    verdict: 'planned',
    reason: null,
    detail: null,
    payload: JSON.stringify({ category: 'message', type: 'text', data: { text } }),
    rootMuid: null,
    facts: null,
    place: `/${id}`,
    ...changes,
  };
}

/** Adds a destination with a run and its totals. */
export function addDestination(
  store: Store,
  address = 'https://chat.example.com',
): { id: number; run: number; journal: Journal } {
  const id = store.destinations.use({ address, name: address, profile: 'spec', nowMs });
  const run = store.runs.start({ command: 'import', destination: id, profile: 'spec', nowMs });
  return { id, run, journal: store.batches.openJournal(id, run) };
}

/** Sends these messages of C1 and settles them. `sent` leaves them unconfirmed. */
export async function deliver(
  { journal }: Pick<ReturnType<typeof addDestination>, 'journal'>,
  lane: { readonly conversation: number; readonly receiverType: string },
  seqs: readonly number[],
  state: 'imported' | 'failed' | 'pending' | 'sent',
): Promise<void> {
  const rows = seqs.map((seq) => ({ seq, isLate: false, lane }));
  const batch = { rows, body: Buffer.from('{}'), id: undefined as number | undefined, attemptCount: 1 };
  await journal.beginAttempt(batch, nowMs, 0);
  if (state === 'sent') return;
  await journal.record(
    batch.id,
    seqs.map((seq) => ({ seq, state })),
    { closes: true },
  );
}
