import { z } from 'zod';
import { parseCount, parsing, parsed, parseDuration, text } from '../lib/text/units.ts';
import { isLoopback } from '../lib/loopback.ts';
import { docsLink } from '../lib/docs-link.ts';

const portMax = 65_535;

const port = z
  .union([z.int(), z.string()], { error: 'expected a port' })
  .transform(parsing((value) => parseCount(String(value), 0, portMax)));

const yes = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'expected true or false' })
  .transform((value) => value === true || value === 'true');

/** Returns the host as `URL` spells it: `2130706433` and `127.1` are loopback too. Undefined if it is no host. */
const parseHost = (address: string): string | undefined => {
  const url = `http://${address.includes(':') ? `[${address}]` : address}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
};

/** `sync.listen` of `chatferry.yaml`: where metrics and health can be asked for. Nothing listens unless it is there. */
export const listenSchema = z
  .strictObject({
    port: port.describe('Port for /metrics, /healthz and /readyz; 0 takes a free one, which the log names'),
    address: z
      .string({ error: 'expected text' })
      .default('127.0.0.1')
      .refine((address) => parseHost(address) !== undefined, { error: 'expected an address, such as 127.0.0.1' })
      .describe('Address to listen on (default 127.0.0.1: this machine only)'),
    allowRemote: yes
      .default(false)
      .describe('Listen on an address that other machines can reach; they can then read job names and counts'),
  })
  .refine(({ address, allowRemote }) => allowRemote || isLoopback(parseHost(address) ?? 'localhost'), {
    path: ['address'],
    error: 'other machines can reach this address: set allowRemote: true as well',
  })
  .describe('Metrics for Prometheus and health, over HTTP');

export type ListenOptions = z.output<typeof listenSchema>;

/** `sync.log` of `chatferry.yaml`: a JSON object a line, of counts and reasons. */
export const logSchema = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'], { error: 'expected debug, info, warn or error' })
      .default('info')
      .describe('Least level that is written: debug (progress too), info (default), warn, error'),
    file: z
      .string({ error: 'expected text' })
      .min(1, { error: 'expected a file' })
      .optional()
      .describe('File to append to, mode 0600 (default: standard error)'),
  })
  .describe('Structured log');

export type LogOptions = z.output<typeof logSchema>;

const duration = (fromMs: number, words: string) =>
  parsed((value) => {
    const ms = parseDuration(value);
    if (ms < fromMs) throw new Error(words);
    return ms;
  });

/** `fleet:` of `chatferry.yaml`: what workers share. */
export const fleetSchema = z
  .strictObject({
    database: text
      .optional()
      .describe(
        'The PostgreSQL that all workers share: postgres://user@host/name. With a password it belongs into the variable CHATFERRY_FLEET_DATABASE',
      ),
    files: text
      .optional()
      .describe(
        'Location of the copies of stores: s3://bucket/prefix, or a folder that all workers see. Also CHATFERRY_FLEET_FILES',
      ),
    endpoint: text.optional().describe('Address of a bucket that is not at Amazon'),
    region: text.default('us-east-1').describe('Of the bucket'),
    credentials: text
      .optional()
      .describe('File with the keys of the bucket. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'),
    lease: duration(10_000, 'expected 10s or more')
      .default(600_000)
      .describe('How long a worker stays with one unit before the next has its lease (default 10m)'),
    heartbeat: duration(10_000, 'expected 10s or more')
      .default(30_000)
      .describe('A worker that is silent for so long has lost its units (default 30s)'),
    copyEvery: duration(1_000, 'expected 1s or more')
      .default(60_000)
      .describe('How often the store of a unit that is being sent is copied (default 60s)'),
    work: text
      .default('./chatferry-work')
      .describe(
        'Folder of a worker for stores that it works on (default ./chatferry-work); may be empty at every start',
      ),
    tenant: text.optional().describe('Tenant that owns the jobs of this file'),
  })
  .describe(`Settings that many workers share: ${docsLink('guides/operate/fleet')}`);

export type FleetKeys = z.output<typeof fleetSchema>;
