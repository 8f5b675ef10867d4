import type { StagedRow } from '../../checkpoint/staging/staged-item.ts';
import { isPackedFile, newPath, nothingBefore, packFile, type PackedFile, unpackFile } from './packed-entries.ts';
import type { PackedList, Step, StepList } from './protocol.ts';

type RowStep = Extract<Step, { type: 'row' }>;

/** A row that is planned and has nothing unusual, as nearly all: without its payload. Null: as before, or as its comment says. */
type PackedRow = readonly [
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

interface PackedSteps {
  readonly input: number;
  readonly steps: readonly (PackedRow | PackedFile | Step)[];
  readonly endsTurn?: true | undefined;
}

/** What rows have in common with the one before. */
const nothingYet = () => ({ ...nothingBefore(), of: ['', '', ''] as Origin });
type Before = ReturnType<typeof nothingYet>;

/** What stands in no payload of a row that crosses by its name: it crosses beside it. */
const noPayload = '';

/**
 * What is to be written, on its way to the thread that writes: as `packEntries` packs entries. What stands in millions is an
 * array without names, and payloads stand beside the JSON.
 */
export function packSteps({ input, steps, endsTurn }: StepList): PackedList {
  const before = nothingYet();
  const words: string[] = [];
  const packed: PackedSteps = {
    input,
    endsTurn,
    steps: steps.map((step) => {
      if (step.type === 'file') return packFile(step, before);
      if (step.type !== 'row') return step;
      words.push(step.row.payload ?? noPayload);
      return packRow(step, before);
    }),
  };
  return { json: JSON.stringify(packed), words };
}

function packRow({ path, row }: RowStep, before: Before): PackedRow | RowStep {
  const { muid, source, workspace, conversation, originId, recordDigest, sentAtMs, sortKey } = row;
  const isUsual = row.verdict === 'planned' && row.part === undefined && row.reactions === undefined;
  // The last are there where there is a muid.
  if (!isUsual || muid === null || conversation === null || source === null || workspace === null)
    return { type: 'row', path, row: { ...row, payload: row.payload === null ? null : noPayload } };
  return [
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
export function unpackSteps({ json, words }: PackedList): StepList {
  const { input, steps, endsTurn } = JSON.parse(json) as PackedSteps;
  const before = nothingYet();
  let at = 0;
  const unpacked = steps.map((step): Step => {
    if (!Array.isArray(step)) return unpackNamed(step as Step, () => words[at++]!);
    if (isPackedFile(step)) return unpackFile(step, before);
    return unpackRow(step as unknown as PackedRow, words[at++]!, before);
  });
  return { input, steps: unpacked, ...(endsTurn && { endsTurn }) };
}

function unpackNamed(step: Step, nextWord: () => string): Step {
  if (step.type !== 'row') return step;
  const payload = nextWord();
  return step.row.payload === null ? step : { ...step, row: { ...step.row, payload } };
}

function unpackRow(packed: PackedRow, payload: string, before: Before): RowStep {
  const [muid, recordDigest, originId, sentAtMs, sender, place, editedAtMs, rootMuid, facts, sortKey, path, of] =
    packed;
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
    payload,
    rootMuid,
    facts,
    place,
    part: undefined,
    reactions: undefined,
  };
  return { type: 'row', path: before.path, row };
}
