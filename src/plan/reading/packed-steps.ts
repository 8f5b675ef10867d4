import { isPackable, type PackedRows, RowPacker } from '../../checkpoint/staging/packed-rows.ts';
import type { StagedRow } from '../../checkpoint/staging/staged-item.ts';
import { isPackedFile, newPath, nothingBefore, packFile, type PackedFile, unpackFile } from './packed-entries.ts';
import type { PackedSteps, PackedRun, Step, StepList } from './protocol.ts';

/** So many packed rows, of one file and conversation. Null: of those before. */
type Run = [count: number, path: string | null, of: Origin | null, source: 'rows', end: 0];

type Origin = PackedRun['of'];

interface Content {
  readonly input: number;
  readonly steps: readonly (Run | PackedFile | Exclude<Step, PackedRun>)[];
  readonly endsTurn?: true | undefined;
}

/** What rows have in common with the ones before. */
const nothingYet = () => ({ ...nothingBefore(), of: { source: '', workspace: '', conversation: '' } as Origin });
type Before = ReturnType<typeof nothingYet>;

/** What stands in no payload of a row that crosses by its name: it crosses beside it. */
const noPayload = '';

/**
 * What is to be written, on its way to the thread that writes: as `packEntries` packs entries. Nearly all rows are packed, and cross
 * as the bytes that they will be.
 */
export function packSteps({ input, steps, endsTurn }: StepList): PackedSteps {
  const before = nothingYet();
  const words: string[] = [];
  const rows = new RowsPacker();
  const packed: Content['steps'][number][] = [];
  let run: Run | undefined;
  for (const step of steps) {
    if (step.type === 'row' && rows.takes(step.row)) {
      rows.add(step.row);
      const [path, of] = [newPath(step.path, before), newOrigin(step.row, before)];
      if (run && path === null && of === null) run[0]++;
      else {
        run = [1, path, of, 'rows', 0];
        packed.push(run);
      }
      continue;
    }
    run = undefined;
    if (step.type === 'packed') throw new Error('These rows are packed already');
    if (step.type === 'file') packed.push(packFile(step, before));
    else if (step.type !== 'row') packed.push(step);
    else {
      words.push(step.row.payload ?? noPayload);
      packed.push({ ...step, row: { ...step.row, payload: step.row.payload === null ? null : noPayload } });
    }
  }
  return {
    json: JSON.stringify({ input, endsTurn, steps: packed }),
    words,
    ...(rows.count > 0 && { rows: rows.take() }),
  };
}

/** Its memory is used again for each list. */
const packer = new RowPacker();

/** Packs the rows of one list. */
class RowsPacker {
  readonly #senders = new Map<string, number>();
  readonly #facts = new Map<string, number>();
  readonly #senderOf: number[] = [];
  readonly #factsOf: number[] = [];

  get count(): number {
    return this.#senderOf.length;
  }

  takes(row: StagedRow): boolean {
    return isPackable(row) && ![row.conversation, row.sender, row.source, row.workspace].includes(null);
  }

  add(row: StagedRow): void {
    packer.add(row);
    this.#senderOf.push(numberOf(this.#senders, row.sender!));
    this.#factsOf.push(row.facts === null ? -1 : numberOf(this.#facts, row.facts));
  }

  constructor() {
    packer.clear();
  }

  take(): PackedRows {
    const rows = {
      text: new Uint8Array(packer.text),
      numbers: Float64Array.from(packer.numbers),
      senders: [...this.#senders.keys()],
      facts: [...this.#facts.keys()],
      senderOf: Int32Array.from(this.#senderOf),
      factsOf: Int32Array.from(this.#factsOf),
    };
    return rows;
  }
}

function numberOf(numbers: Map<string, number>, text: string): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
  }
  return number;
}

function newOrigin({ source, workspace, conversation }: StagedRow, before: Before): Origin | null {
  const last = before.of;
  if (conversation === last.conversation && workspace === last.workspace && source === last.source) return null;
  before.of = { source: source!, workspace: workspace!, conversation: conversation! };
  return before.of;
}

/** The list that was packed; rows that are packed stay so. */
export function unpackSteps({ json, words, rows }: PackedSteps): StepList {
  const { input, steps, endsTurn } = JSON.parse(json) as Content;
  const before = nothingYet();
  let nextWord = 0;
  let next = 0;
  const unpacked = steps.map((step): Step => {
    if (!Array.isArray(step)) return unpackNamed(step as Step, () => words[nextWord++]!);
    if (isPackedFile(step)) return unpackFile(step, before);
    const [count, path, of] = step as unknown as Run;
    before.path = path ?? before.path;
    before.of = of ?? before.of;
    next += count;
    return { type: 'packed', rows: rows!, from: next - count, to: next, path: before.path, of: before.of };
  });
  return { input, steps: unpacked, ...(endsTurn && { endsTurn }) };
}

function unpackNamed(step: Step, nextWord: () => string): Step {
  if (step.type !== 'row') return step;
  const payload = nextWord();
  return step.row.payload === null ? step : { ...step, row: { ...step.row, payload } };
}
