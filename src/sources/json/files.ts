/** Whether a name says that a file holds JSON. */
const isNamedJson = (path: string): boolean => /\.(?:json|ndjson|jsonl|jsonlines|ldjson)$/i.test(path);

/** Whether a file may hold rows: by its name, or because it is the whole export. */
export const mayHoldRows = (path: string, fileCount: number): boolean => isNamedJson(path) || fileCount === 1;
