/** Tables of an export: those that are read with their columns and the types of these, and the names of the others with their rows, if known. */
export interface ExportTables {
  readonly read: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly others: Readonly<Record<string, number | null>>;
}
