/** Requests of one run, counted where they are made. */
export interface RequestCounts {
  import: number;
  list: number;
  retried: number;
  rateLimited: number;
  /** Absent where none was made. */
  action?: number;
}

export const noRequests = (): RequestCounts => ({ import: 0, list: 0, retried: 0, rateLimited: 0 });

/** Adds the second to the first. */
export function addRequests(sum: RequestCounts, more: RequestCounts): void {
  for (const kind of Object.keys(more) as (keyof RequestCounts)[]) sum[kind] = (sum[kind] ?? 0) + (more[kind] ?? 0);
}
