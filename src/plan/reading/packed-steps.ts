import type { StagedRow } from '../../checkpoint/staging/staged-item.ts';
import { isPackedFile, newPath, nothingBefore, packFile, type PackedFile, unpackFile } from './packed-entries.ts';
import type { PackedSteps, Step, StepList } from './protocol.ts';

type RowStep = Extract<Step, { type: 'row' }>;

/** A row that is planned and has nothing unusual, as nearly all: without its payload. Null: as before, or as its comment says. */
type PackedRow = readonly [
  payloadBytes: number,
  muid: string,
  recordDigest: string,
  originId: string,
  sentAtMs: number,
  sender: string | null,
  place: string,
  editedAtMs: number | null,
  rootMuid: string | null,
  facts: string | null,
  /** Null: the id. */
  sortKey: string | null,
  path: string | null,
  origin: Origin | null,
];

type Origin = readonly [source: string, workspace: string, conversation: string];

interface Content {
  readonly input: number;
  readonly steps: readonly (PackedRow | PackedFile | Step)[];
  readonly endsTurn?: true | undefined;
}

/** What rows have in common with the one before. */
const nothingYet = () => ({ ...nothingBefore(), of: ['', '', ''] as Origin });
type Before = ReturnType<typeof nothingYet>;

/**
 * What is to be written, on its way to the thread that writes: as `packEntries` packs entries. What stands in millions is an
 * array without names. Payloads stand beside the JSON, as bytes, which are handed over: as strings they would be copied twice on
 * their way, which took more time than to make them (measured).
 */
export function packSteps({ input, steps, endsTurn }: StepList): PackedSteps {
  const before = nothingYet();
  const payloads: string[] = [];
  const lengths: number[] = [];
  let byteCount = 0;
  for (const step of steps) {
    if (step.type !== 'row' || step.row.payload === null) continue;
    const { payload } = step.row;
    const length = Buffer.byteLength(payload);
    byteCount += length;
    payloads.push(payload);
    lengths.push(length);
  }
  let row = 0;
  const content: Content = {
    input,
    endsTurn,
    steps: steps.map((step) => {
      if (step.type === 'file') return packFile(step, before);
      if (step.type !== 'row' || step.row.payload === null) return step;
      return packRow(step, lengths[row++]!, before);
    }),
  };
  return { json: JSON.stringify(content), bytes: bytesOf(payloads, byteCount) };
}

function bytesOf(texts: readonly string[], byteCount: number): Uint8Array<ArrayBuffer> {
  // Not of the pool: what is handed over takes everything with it that it shares memory with.
  const bytes = Buffer.allocUnsafeSlow(byteCount) as Buffer<ArrayBuffer>;
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

function packRow({ path, row }: RowStep, payloadBytes: number, before: Before): PackedRow | RowStep {
  const { muid, source, workspace, conversation, originId, recordDigest, sentAtMs, sortKey } = row;
  const isUsual = row.verdict === 'planned' && row.part === undefined && row.reactions === undefined;
  // The last are there where there is a muid.
  if (!isUsual || muid === null || conversation === null || source === null || workspace === null)
    return { type: 'row', path, row: { ...row, payload: String(payloadBytes) } };
  return [
    payloadBytes,
    muid,
    recordDigest!,
    originId!,
    sentAtMs!,
    row.sender,
    row.place,
    row.editedAtMs,
    row.rootMuid,
    row.facts,
    sortKey === originId ? null : sortKey,
    newPath(path, before),
    newOrigin(source, workspace, conversation, before),
  ];
}

function newOrigin(source: string, workspace: string, conversation: string, before: Before): Origin | null {
  const [lastSource, lastWorkspace, lastConversation] = before.of;
  if (conversation === lastConversation && workspace === lastWorkspace && source === lastSource) return null;
  before.of = [source, workspace, conversation];
  return before.of;
}

/** The list that was packed. */
export function unpackSteps({ json, bytes }: PackedSteps): StepList {
  const { input, steps, endsTurn } = JSON.parse(json) as Content;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const before = nothingYet();
  let at = 0;
  const payloadOf = (byteCount: number) => {
    at += byteCount;
    return text.toString('utf8', at - byteCount, at);
  };
  const unpacked = steps.map((step): Step => {
    if (!Array.isArray(step)) return unpackNamed(step as Step, payloadOf);
    if (isPackedFile(step)) return unpackFile(step, before);
    return unpackRow(step as unknown as PackedRow, payloadOf, before);
  });
  return { input, steps: unpacked, ...(endsTurn && { endsTurn }) };
}

/** Of a row that crosses by its name, the length of its payload stands in the place of that. */
function unpackNamed(step: Step, payloadOf: (byteCount: number) => string): Step {
  if (step.type !== 'row' || step.row.payload === null) return step;
  return { ...step, row: { ...step.row, payload: payloadOf(Number(step.row.payload)) } };
}

function unpackRow(packed: PackedRow, payloadOf: (byteCount: number) => string, before: Before): RowStep {
  const [
    payloadBytes,
    muid,
    recordDigest,
    originId,
    sentAtMs,
    sender,
    place,
    editedAtMs,
    rootMuid,
    facts,
    sortKey,
    path,
    of,
  ] = packed;
  before.path = path ?? before.path;
  before.of = of ?? before.of;
  const [source, workspace, conversation] = before.of;
  const row: StagedRow = {
    muid,
    source,
    workspace,
    conversation,
    sender,
    originId,
    sentAtMs,
    sortKey: sortKey ?? originId,
    editedAtMs,
    recordDigest,
    verdict: 'planned',
    reason: null,
    detail: null,
    payload: payloadOf(payloadBytes),
    rootMuid,
    facts,
    place,
    part: undefined,
    reactions: undefined,
  };
  return { type: 'row', path: before.path, row };
}
