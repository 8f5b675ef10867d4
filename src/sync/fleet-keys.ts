import { z } from 'zod';
import { parsed, parseDuration, text } from '../lib/text/units.ts';
import { docsLink } from '../lib/docs-link.ts';

const duration = (fromMs: number, words: string) =>
  parsed((value) => {
    const ms = parseDuration(value);
    if (ms < fromMs) throw new Error(words);
    return ms;
  });

/** `fleet:` of `chatferry.yaml`: what workers share. */
export const fleetSchema = z
  .strictObject({
    database: text.optional().meta({
      description:
        'The PostgreSQL that all workers share: postgres://user@host/name. With a password it belongs into the variable CHATFERRY_FLEET_DATABASE',
    }),
    files: text.optional().meta({
      description:
        'Location of the copies of stores: s3://bucket/prefix, or a folder that all workers see. Also CHATFERRY_FLEET_FILES',
    }),
    endpoint: text.optional().meta({ description: 'Address of a bucket that is not at Amazon' }),
    region: text.default('us-east-1').meta({ description: 'Of the bucket' }),
    credentials: text.optional().meta({
      description: 'File with the keys of the bucket. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    }),
    lease: duration(10_000, 'expected 10s or more').default(600_000).meta({
      description: 'How long a worker stays with one unit before the next has its lease (default 10m)',
    }),
    heartbeat: duration(10_000, 'expected 10s or more').default(30_000).meta({
      description: 'A worker that is silent for so long has lost its units (default 30s)',
    }),
    copyEvery: duration(1_000, 'expected 1s or more').default(60_000).meta({
      description: 'How often the store of a unit that is being sent is copied (default 60s)',
    }),
    work: text.default('./chatferry-work').meta({
      description:
        'Folder of a worker for stores that it works on (default ./chatferry-work); may be empty at every start',
    }),
    tenant: text.optional().meta({ description: 'Tenant that owns the jobs of this file' }),
  })
  .meta({ description: `Settings that many workers share: ${docsLink('guides/operate/fleet')}` });

export type FleetKeys = z.output<typeof fleetSchema>;
