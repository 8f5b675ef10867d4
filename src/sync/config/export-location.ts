import { z } from 'zod';
import { holdsPassword, isServerAddress } from '../../io/input/server-input.ts';
import { parseInstant } from '../../lib/text/instant.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { oneOrMore, parseBytes, parsed, parseDuration, text } from '../../lib/text/units.ts';

const duration = (usualMs: number, description: string) => parsed(parseDuration).default(usualMs).describe(description);

const instant = (description: string) =>
  parsed((value) => parseInstant(value).firstSecond)
    .optional()
    .describe(description);

const timeout = duration(3_600_000, 'How long it may take altogether, 24h at most (default 1h)');

const sizeMax = parsed(parseBytes)
  .default(64 * 2 ** 30)
  .describe('Maximum size in bytes: a larger export is discarded, and the last one is kept (default 64GiB)');

const fileName = text
  .regex(/^[^/\\\0]+$/, { error: 'expected the name of a file, without folders' })
  .refine((name) => name !== '.' && name !== '..', { error: 'expected the name of a file, found a folder' })
  .describe('Name under which it is kept, such as export.ndjson: the ending says how to read it');

const passwordPlaces =
  'put it into PGPASSWORD or MYSQL_PWD, or into a file that source.passwordFile of the mapping names';

/** @throws RangeError in words for the user. */
function parsePath(path: string): string {
  // The address is not repeated.
  if (isServerAddress(path) && holdsPassword(path)) throw new RangeError(`it holds a password; ${passwordPlaces}`);
  if (path !== '-' && path !== '') return path;
  throw new RangeError(path === '' ? 'expected a path, found nothing' : 'standard input is read once only');
}

/** @throws RangeError in words for the user. */
function parseServer(url: string): string {
  if (isServerAddress(url)) return parsePath(url);
  throw new RangeError('expected the address of a database server, such as postgres://reader@db.example.org/app');
}

const apiKey = {
  apiKeyFile: text.optional().describe('File with its key, mode 0600'),
  apiKeyVariable: text
    .regex(/^\w+$/, { error: 'expected the name of a variable' })
    .optional()
    .describe('Environment variable with its key, if no file has it'),
};

type ApiKey = { readonly [Name in keyof typeof apiKey]?: string | undefined };

const hasOneKey = ({ apiKeyFile, apiKeyVariable }: ApiKey): boolean =>
  (apiKeyFile === undefined) !== (apiKeyVariable === undefined);

/** Kinds of locations of a job's export: exactly one applies, identified by its first key. */
const kinds = {
  path: z.strictObject({
    path: oneOrMore(parsePath).describe(
      'File or folder that is replaced or grows, a list where several belong together; or the address of a database, such as postgres://reader@db.example.org/app',
    ),
  }),
  dropFolder: z.strictObject({
    dropFolder: text.describe('Folder into which new archives are put; each is read once'),
    pattern: text
      .default('*')
      .describe('Names of the archives, with * and ? (default: every file but hidden and unfinished ones)'),
    settledFor: duration(60_000, 'An archive is read when it has not changed for so long (default 60s)'),
  }),
  url: z.strictObject({
    url: text
      .superRefine((url, context) => {
        const message = findUrlFault(url);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .describe('Address of the export: https, or http on this machine'),
    headersFile: text
      .optional()
      .describe('File with headers that go with the request, one "Name: value" a line, mode 0600: for a token'),
    format: fileName.optional(),
    timeout,
    sizeMax,
  }),
  command: z.strictObject({
    command: z
      .array(z.string({ error: 'expected text' }), { error: 'expected a list: the program, then its arguments' })
      .refine(([program = '']) => program !== '', { error: 'expected a program' })
      .describe('Program and arguments, started without a shell; its standard output is the export'),
    format: fileName,
    timeout,
    sizeMax,
  }),
  database: z.strictObject({
    database: z.strictObject({
      url: parsed(parseServer).describe(
        'Address of a PostgreSQL, MySQL or MariaDB, such as postgres://reader@db.example.org/app',
      ),
      cursor: z
        .record(text, text, { error: 'expected names of tables, each with the name of a column' })
        .describe(
          'By table, the column that is set to the time whenever a row changes, such as { messages: updated_at }: only rows that changed are read. Other tables are read whole at each run',
        ),
      overlap: duration(
        3_600_000,
        'How far before the latest known time each run starts to read, for rows that are committed late (default 1h)',
      ),
      readWhole: duration(
        86_400_000,
        'How often everything is read, to find rows that are gone or changed without a new time (default 24h)',
      ),
    }),
  }),
  fetch: z.strictObject({
    fetch: z
      .strictObject({
        from: text.describe('Base address of the other app, before /v3'),
        ...apiKey,
        conversation: text.optional().describe('Only this conversation, by the id that the service gives it'),
        since: instant('Only messages from this time on'),
        overlap: duration(
          86_400_000,
          'How far before the newest known message every run starts, to find late messages and edits (default 24h)',
        ),
      })
      .refine(hasOneKey, { error: 'expected either apiKeyFile or apiKeyVariable' }),
  }),
  provider: z.strictObject({
    provider: z
      .strictObject({
        name: text.describe('Provider, such as twilio: `chatferry fetch --help` lists them'),
        recipe: text.optional().describe('File with a recipe of your own, which has this name'),
        settings: z
          .record(text, z.string().or(z.number()).transform(String), { error: 'expected names with values' })
          .default({})
          .describe('Settings of the provider, such as { account: AC… }'),
        ...apiKey,
        since: instant('Only what changed from this time on'),
        overlap: duration(
          86_400_000,
          'How far before the last run each run starts, to find edits and removals that the provider does not date (default 24h)',
        ),
      })
      .refine(hasOneKey, { error: 'expected either apiKeyFile or apiKeyVariable' }),
  }),
} as const;

type Kinds = { readonly [Kind in keyof typeof kinds]: z.output<(typeof kinds)[Kind]> };
export type PathExport = Kinds['path'];
export type DropFolderExport = Kinds['dropFolder'];
export type UrlExport = Kinds['url'];
export type CommandExport = Kinds['command'];
export type DatabaseExport = Kinds['database'];
export type FetchExport = Kinds['fetch'];
export type ProviderExport = Kinds['provider'];
export type ExportLocation = Kinds[keyof Kinds];

const onlyPath = parsed(parsePath);

const words = `expected a path, the address of a database, or one of ${Object.keys(kinds).join(', ')}, such as { path: [a.csv, b.csv] }`;

export const exportSchema = z
  .union([onlyPath.transform((path): PathExport => ({ path: [path] })), ...Object.values(kinds)], { error: words })
  .describe('Location of the export: a path, the address of a database, or a table with one of the keys below');

/** Returns the issues of a location; the union only reports that no kind fits. Paths begin at the location. */
export function locationIssues(value: unknown): readonly z.core.$ZodIssue[] {
  if (typeof value === 'string') return onlyPath.safeParse(value).error?.issues ?? [];
  const kind = Object.keys(kinds).find((key) => typeof value === 'object' && value !== null && key in value);
  if (kind === undefined) return [];
  return kinds[kind as keyof Kinds].safeParse(value).error?.issues ?? [];
}

/** In words that do not repeat it: such addresses often hold a token. */
function findUrlFault(url: string): string | undefined {
  if (!URL.canParse(url)) return 'expected an address, such as https://example.com/export.zip';
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'it contains credentials; put them into headersFile';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return 'expected https; http is for this machine only';
}
