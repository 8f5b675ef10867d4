import { z } from 'zod';
import { oneOrMore, parseBytes, parseCount, parsed, parseDuration, text } from '../lib/text/units.ts';

const yes = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
  error: 'expected true or false',
});

/** Handling of a message whose file could not be copied. */
export const missingMedia = ['wait', 'original', 'name'] as const;
export type MissingMedia = (typeof missingMedia)[number];

/** `media:` of a mapping or of a job: files of messages are copied to permanent storage. */
export const mediaSchema = z.strictObject({
  to: text.describe('Location of the files: "s3://bucket/prefix", or a folder ("./media").'),
  address: z
    .url({ protocol: /^https?$/, error: 'expected a web address' })
    .optional()
    .describe(
      'Address before the keys, at which people open the files. Required for a folder. Default for a bucket: the address that the files were written to.',
    ),
  key: text
    .default('{sha256}{ext}')
    .describe(
      'Name of a file there: {sha256}, {sha256:2} (its first characters), {name}, {ext}. It must contain {sha256}.',
    ),
  missing: z
    .enum(missingMedia)
    .default('wait')
    .describe(
      'If the file of a message could not be copied: wait (and ask at the end), send the message with the original address, or send it with only the name of the file.',
    ),
  endpoint: z
    .url({ protocol: /^https?$/, error: 'expected a web address' })
    .optional()
    .describe('Endpoint of a bucket that is not at Amazon: "https://s3.example.com".'),
  region: text.default('us-east-1').describe('Of the bucket.'),
  credentials: text
    .optional()
    .describe(
      'File with the keys of the bucket (lines aws_access_key_id = …, aws_secret_access_key = …, as in ~/.aws/credentials). Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ),
  token: text
    .optional()
    .describe('File with the token of the old system that opens its files. Sent to tokenHosts alone.'),
  tokenHosts: oneOrMore((host) => host)
    .optional()
    .describe(
      "Hosts that get the token. Default: those that the source is known to keep files at (Slack's files.slack.com).",
    ),
  concurrency: parsed((value) => parseCount(value, 1, 64))
    .default(8)
    .describe('Number of files that are copied at the same time.'),
  perHost: parsed((value) => parseCount(value, 1, 64))
    .default(4)
    .describe('Number of simultaneous requests to one host of files.'),
  bandwidth: parsed(parseBytes)
    .optional()
    .describe('Bytes a second, at most, that are fetched: 10MiB. Default: no limit.'),
  maxBytes: parsed(parseBytes)
    .default(5 * 1024 ** 3)
    .describe('Larger files are not copied.'),
  timeout: parsed(parseDuration).default(3_600_000).describe('How long one file may take.'),
  dimensions: yes.default(false).describe('Write width and height of pictures into metadata.'),
  thumbnails: yes
    .default(false)
    .describe('Make small pictures too, and write their addresses into metadata; needs the package sharp.'),
});

export type MediaRules = z.output<typeof mediaSchema>;
