import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ConfigChanges, writeConfig } from '../../config/write-config.ts';
import { configuredExports } from '../../config/configured-exports.ts';
import { type Options, reportFolderOf } from '../../config/options.ts';
import { logPathOf, readGiven } from '../../report/decision-log.ts';
import { type ReportData, reportDataSchema } from '../../report/report-data.ts';
import type { PeopleSeen } from './steps.ts';

/** The files have changed since the page has seen them. */
export class Changed extends Error {}

export interface WorkspaceRequest {
  /** In which the program runs. */
  readonly folder: string;
  /** Exports of the command line; none: those of the configuration. */
  readonly exports: readonly string[];
  /** The configuration that the user named. */
  readonly configPath: string | undefined;
  /** Reads the options as every command of the desk does. @throws UsageError */
  readonly readOptions: () => Options;
}

/** Files of a migration, as they can be passed to a command. */
export interface Paths {
  readonly config: string;
  readonly mapping: string;
  readonly store: string;
  /** Copy of the store that a rehearsal sends from. */
  readonly rehearsal: string;
  /** Table of uids. */
  readonly people: string;
  /** Who decided what. */
  readonly decisions: string;
}

type ReportName = 'plan' | 'rehearsal';

/**
 * The files of a migration: all that the desk knows is in them, whoever wrote them. They are read each time, because a terminal may change
 * them meanwhile.
 */
export class Workspace {
  readonly folder: string;
  readonly #request: WorkspaceRequest;
  #named: readonly string[];
  /** The last change of a file, once it has ended. */
  #changed: Promise<unknown> = Promise.resolve();
  readonly #reports = { plan: new CachedFile(readReport), rehearsal: new CachedFile(readReport) };
  readonly #decisions = new CachedFile(findPeopleSeen);

  constructor(request: WorkspaceRequest) {
    this.#request = request;
    this.#named = request.exports;
    this.folder = request.folder;
  }

  /** Exports that each command has to be given: none if the configuration names them. */
  get named(): readonly string[] {
    return this.#named;
  }

  get configPath(): string | undefined {
    return this.#request.configPath;
  }

  /** The exports, named or configured; none: the user has not chosen yet. @throws UsageError */
  exports(): readonly string[] {
    if (this.#named.length > 0) return this.#named;
    return configuredExports(this.configPath);
  }

  /** @throws UsageError */
  options(): Options {
    return this.#request.readOptions();
  }

  /** @throws UsageError */
  paths(): Paths {
    const { store, mapping } = this.options();
    return {
      config: this.configPath ?? 'chatferry.yaml',
      mapping: mapping ?? 'chatferry.mapping.yaml',
      store,
      rehearsal: rehearsalStore(store),
      people: join(dirname(mapping ?? '.'), 'chatferry.people.csv'),
      decisions: logPathOf(store),
    };
  }

  /** A path in the one form in which the page shows it, and `init` prints it: from the folder of the desk, if it is below it. */
  shown(path: string): string {
    const below = relative(this.folder, resolve(this.folder, path));
    const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
    return isOutside ? path : below.replaceAll(sep, '/');
  }

  /** Changes with each of the files, whoever wrote it. @throws UsageError */
  version(): string {
    const { config, mapping, people, decisions } = this.paths();
    const files = [config, mapping, people, decisions, this.#reportPath('plan'), this.#reportPath('rehearsal')];
    const hash = createHash('sha256').update(this.#named.join('\0'));
    for (const path of files) hash.update(`\0${path}\0${readStamp(path)}`);
    return hash.digest('base64url').slice(0, 22);
  }

  /** @param seen The version of the state that the page has seen: ours is its part before the point. @throws Changed */
  assertVersion(seen: string): void {
    if (seen.split('.')[0] !== this.version()) throw new Changed();
  }

  /**
   * Changes files, one change after another, if they are still as the page has seen them.
   *
   * @param seen As for `assertVersion`. @throws Changed, and the errors of `change`
   */
  change<Result>(seen: string, change: () => Promise<Result>): Promise<Result> {
    return this.inTurn(() => {
      this.assertVersion(seen);
      return change();
    });
  }

  /** Waits for the changes before, so that the work reads the files that they leave. @throws the errors of `work` */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#changed.then(work);
    this.#changed = done.catch(() => undefined);
    return done;
  }

  /** Sets and removes keys of the configuration. An export that is set replaces the one of the command line. @throws UsageError */
  writeConfig(changes: ConfigChanges): void {
    writeConfig(this.configPath, changes);
    if (changes.export !== undefined) this.#named = [];
  }

  /** The last report of a plan or an import; of the rehearsal's. Null if there is none, or one of another version of this program. */
  report(of: ReportName): ReportData | null {
    return this.#reports[of].read(this.#reportPath(of));
  }

  /** Who looked through the people last, as the file of decisions says; null if no one did. @throws UsageError */
  peopleSeen(): PeopleSeen | null {
    const { store, decisions } = this.paths();
    return this.#decisions.read(decisions, store);
  }

  /** Folder of the report of the plan. @throws UsageError */
  reportFolder(): string {
    const { store, report } = this.options();
    return reportFolderOf({ store, report });
  }

  #reportPath(of: ReportName): string {
    return join(of === 'plan' ? this.reportFolder() : rehearsalReportFolder(this.options().store), 'report.json');
  }
}

/** `chatferry.db` → `chatferry.rehearsal.db`. */
const rehearsalStore = (store: string): string => `${store.replace(/\.db$/, '')}.rehearsal.db`;

export const rehearsalReportFolder = (store: string): string =>
  reportFolderOf({ store: rehearsalStore(store), report: undefined });

/** Tells one state of a file from the next: a file that is replaced within a tick of the clock has another inode. */
function readStamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeNs} ${stat.size} ${stat.ino}`;
}

/** Bytes. Reports have some 400 KB at most. */
const reportBytesMax = 16 * 1024 * 1024;

/** Contents of a file, read again once it changed. */
class CachedFile<Contents> {
  #stamp = '';
  #contents: Contents | null = null;
  readonly #read: (named: string) => Contents | null;

  constructor(read: (named: string) => Contents | null) {
    this.#read = read;
  }

  /** @param named The file by which the reader finds it. */
  read(path: string, named = path): Contents | null {
    const stamp = `${resolve(path)} ${readStamp(path)}`;
    if (stamp !== this.#stamp) this.#contents = this.#read(named);
    this.#stamp = stamp;
    return this.#contents;
  }
}

/** Key under which the file of decisions says that somebody looked through the people, and how many there were. */
export const peopleSeenKey = 'people-seen';

function findPeopleSeen(store: string): PeopleSeen | null {
  const seen = readGiven(store).findLast(({ key }) => key === peopleSeenKey);
  return seen === undefined ? null : { by: seen.by, count: Number(seen.answer) };
}

function readReport(path: string): ReportData | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || size > reportBytesMax) return null;
  try {
    return reportDataSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
