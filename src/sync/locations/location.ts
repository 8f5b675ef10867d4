import type { ChatferryError } from '../../lib/errors.ts';
import type { SyncControls } from '../job.ts';
import type { RunNote } from '../job-result.ts';

export interface Take {
  /** Folders, archives and files. */
  readonly exports: readonly string[];
  /** A plan has read them: what is remembered of the location may say so from now on. */
  taken(): void;
}

export interface Arrivals {
  /** In the order in which they are to be planned; none if nothing is new. */
  readonly takes: readonly Take[];
  /** Errors that name the exports that could not be fetched; the rest continues. */
  readonly failures: readonly ChatferryError[];
  /** Facts about the reading, for the result of the run. */
  readonly notes?: readonly RunNote[];
}

export interface LocationContext extends Omit<SyncControls, 'stopping'> {
  readonly job: string;
  /** The `source:` section of the job's mapping. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Folder for downloaded or fetched files; created when needed, for its owner only. */
  readonly folder: string;
  /**
   * The store holds no plan, or one under other rules (mapping, limits, filter): what was read before is to be read again,
   * and nothing that is remembered of earlier runs holds.
   */
  readonly isFresh: boolean;
}

/** Opens the location of a job's export. @throws ChatferryError if nothing can be fetched; the signal's reason. */
export type OpenLocation = (context: LocationContext) => Promise<Arrivals>;

/** Nothing to remember: the store itself knows which files it has read. */
export const plainTake = (exports: readonly string[]): Arrivals => ({ takes: [{ exports, taken() {} }], failures: [] });
