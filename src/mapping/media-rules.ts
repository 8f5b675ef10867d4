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
  to: text.describe('Where files stay: "s3://bucket/prefix", or a folder ("./media").'),
  address: z
    .url({ protocol: /^https?$/, error: 'expected a web address' })
    .optional()
    .describe(
      'The address before the keys at which people open the files. Needed for a folder; default for a bucket: where they were put.',
    ),
  key: text
    .default('{sha256}{ext}')
    .describe(
      'How a file is named there: {sha256}, {sha256:2} (its first characters), {name}, {ext}. {sha256} must stand in it.',
    ),
  missing: z
    .enum(missingMedia)
    .default('wait')
    .describe(
      'A message whose file could not be copied: wait (and ask at the end), go with the original address, or go with the name of the file alone.',
    ),
  endpoint: z
    .url({ protocol: /^https?$/, error: 'expected a web address' })
    .optional()
    .describe('Of a bucket that is not at Amazon: "https://s3.example.com".'),
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
    .describe('Files on their way at once.'),
  perHost: parsed((value) => parseCount(value, 1, 64))
    .default(4)
    .describe('Requests at once to one host that files come from.'),
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
