/** The rows with one value; of an empty cell the empty text. */
export interface ValueRows {
  readonly value: string;
  readonly rows: number;
  /** Its meaning, if it is a code: of a table of such words, or of the column's comment. */
  readonly word?: string;
  /** The text or name of such a row; long ones are cut. */
  readonly example?: string;
}
