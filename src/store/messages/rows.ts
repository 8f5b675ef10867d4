import { storedId } from '../../lib/text/stored-id.ts';
import type { StagedRow } from '../../model/staged-item.ts';
import { column, type RowOf, selectList } from '../base/columns.ts';
import { packPayload, wholePayload } from '../base/packed-payload.ts';

/** File, conversation and people of a row, by ids of the store. */
export interface RowHome {
  readonly file: number;
  /** Path of the file, inside its input. */
  readonly path: string;
  readonly conversation: number | null;
  readonly sender: number | null;
  /** JSON: who gave which reaction, if reactions are to be replayed. */
  readonly reactions?: string | null | undefined;
}

const existingColumns = {
  seq: column<number>('seq'),
  file: column<number>('file'),
  stale: column<number>('stale'),
  vanished: column<number>('vanished'),
  verdict: column<string>('verdict'),
  reason: column<string | null>('reason'),
  facts: column<string | null>('facts'),
  recordDigest: column<string | null>('record_digest'),
  /** Empty if nothing says which of its versions is later. */
  version: column<string>(`coalesce(version, '')`),
  editedAtMs: column<number | null>('edited_at'),
  payload: column<string | null>(wholePayload('message')),
  sender: column<number | null>('sender'),
  sentAtMs: column<number | null>('sent_at'),
  place: column<string>('place'),
};

export const existingList = selectList(existingColumns);

/** A row as an earlier plan has staged it. */
export type Existing = RowOf<typeof existingColumns>;

const columns = {
  muid: (row) => row.muid,
  conversation: (_, home) => home.conversation,
  sender: (_, home) => home.sender,
  origin_id: (row) => row.originId && storedId(row.originId),
  sent_at: (row) => row.sentAtMs,
  sort_key: (row) => row.sortKey,
  edited_at: (row) => row.editedAtMs,
  record_digest: (row) => row.recordDigest,
  verdict: (row) => row.verdict,
  reason: (row) => row.reason,
  detail: (row) => row.detail,
  payload: (row) => packPayload(row.payload, row.muid),
  root_muid: (row) => row.rootMuid,
  facts: (row) => row.facts,
  file: (_, home) => home.file,
  place: (row) => row.place,
  part: (row) => row.part ?? null,
  reactions: (_, home) => home.reactions ?? null,
  files: (row) => row.files ?? null,
  version: (row) => row.version || null,
} satisfies Readonly<Record<string, (row: StagedRow, home: RowHome) => string | number | null>>;

export const rowNames = Object.keys(columns).join(', ');
export const oneRow = `(${Object.keys(columns).fill('?').join(', ')})`;
const values: readonly ((row: StagedRow, home: RowHome) => string | number | null)[] = Object.values(columns);

/** @param rows Placeholders: of one row, or of several with commas between them. */
export const insertSql = (rows: string) => `INSERT INTO message (${rowNames}) VALUES ${rows}`;
export const valuesOf = (row: StagedRow, home: RowHome) => values.map((valueIn) => valueIn(row, home));
