import { printPlace } from '../../lib/text/location.ts';

/** The problem under which a message is named whose id another one has. Nothing is sent while there is one. */
export const conflictCode = 'id-not-unique';

/** Values by which two rows of one identity are compared. A text that is unknown (nothing of the row is sent) is null. */
export interface DuplicateFacts {
  readonly sender: number | null;
  readonly sentAtMs: number | null;
  readonly editedAtMs: number | null;
  readonly text: string | null;
}

/**
 * Returns whether two rows of one identity are two messages whose ids are not unique: they differ in time, and in text
 * and author. If the export holds both at once, a different time and text are enough, unless one is marked as edited.
 */
export function isConflicting(
  a: DuplicateFacts,
  b: DuplicateFacts,
  { areBothPresent }: { readonly areBothPresent: boolean },
): boolean {
  if (a.sentAtMs === b.sentAtMs) return false;
  const areTextsKnown = a.text !== null && b.text !== null;
  if (a.sender !== b.sender) return !areTextsKnown || a.text !== b.text;
  const isEdited = a.editedAtMs !== null || b.editedAtMs !== null;
  return areBothPresent && !isEdited && areTextsKnown && a.text !== b.text;
}

/** The text of a staged payload. */
export const payloadText = (payload: string | null): string | null =>
  payload === null ? null : ((JSON.parse(payload) as { data?: { text?: string } }).data?.text ?? '');

/** Location of a row: `place` is inside the file. */
export interface DuplicateLocation {
  readonly file: number;
  readonly path: string;
  readonly place: string;
  readonly originId: string | null;
}

/** The problem of a row that has the id of another message. It goes when the file of the row is read again. */
export function conflictProblem(
  { file, path, place, originId }: DuplicateLocation,
  other: Pick<DuplicateLocation, 'path' | 'place'>,
): [file: number, code: string, reason: string, place: string] {
  const reason = `The id "${originId}" is also that of another message: ${printPlace(other.path, other.place)}`;
  return [file, conflictCode, reason, printPlace(path, place)];
}
