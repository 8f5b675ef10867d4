import { z } from 'zod';
import { once } from '../lib/once.ts';
import { formerWays } from '../model/arrival.ts';
import type { Same } from '../lib/same.ts';
import { oneOrMore, parseBytes, parseCount, parsed, parseDuration, text } from '../lib/text/units.ts';
import { readOnce } from '../lib/text/schema-words.ts';
import { parseInstant } from '../lib/text/instant.ts';
import { idPattern } from '../service/profiles.ts';

/**
 * The mapping file: what a user may decide about how records become payloads.
 * Every default is the first of its list. Published as JSON Schema, so editors can check and complete it.
 */

const dayMs = 86_400_000;
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 };

/** `none`, `183d`, `26w`, `2y` (of 365 days), or a date such as `2024-01-01`. */
const ageSchema = z.string().refine((text) => text === 'none' || isAge(text), {
  error: 'expected an age such as 183d, 26w or 2y, a date such as 2024-01-01, or none',
});

function isAge(text: string): boolean {
  try {
    return ageStartMs(text, 0) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The first instant that is young enough; nothing for `none`.
 *
 * @param nowMs Wall time of the plan, from which ages count back.
 * @throws RangeError
 */
export function ageStartMs(text: string, nowMs: number): number | undefined {
  if (text === 'none') return undefined;
  const [, count, unit] = /^(\d{1,5})([dwy])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * unitDays[unit!]! * dayMs;
  return parseInstant(text).firstSecond * 1000;
}

/** One of these words, the first by default. */
const choice = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z
    .enum(words)
    .default(words[0] as never)
    .describe(description);

const names = (description: string) => z.array(z.string()).default([]).describe(description);

const id = z.string().regex(idPattern, { error: 'expected 1 to 100 characters of a-z, 0-9, - and _' });
const ids = z.record(z.string(), id);
/** Each list is one thing at the destination, called after the first of the list. */
const merges = z.array(z.array(z.string().min(1)).min(2, { error: 'expected two ids or more' }));

const files = z.lazy(() =>
  z
    .strictObject({
      ignore: z
        .array(z.string().min(1))
        .default([])
        .describe(
          'Files of the export that are not read and not asked about, by their paths: "*" and "?" match anything but "/", "**" matches anything.',
        ),
    })
    .describe('Files of the export.'),
);

/** Table in which uids that people already have are looked up. `none` if they are not looked up. */
const lookupSchema = z.lazy(() =>
  z.union([
    z.literal('none'),
    z
      .strictObject({
        file: z
          .string()
          .min(1)
          .describe('CSV with a header, or JSON with a list of objects; from the folder of the mapping.'),
        id: z.string().min(1).describe('Column that says who: what "by" names.'),
        uid: z.string().min(1).describe('Column of the uid.'),
        by: choice(
          ['id', 'email', 'handle'],
          "Content of the id column: the export's id, the e-mail address, or the handle.",
        ),
        missing: choice(
          ['template', 'reject'],
          'People who are not in the table: use the template, or reject their messages.',
        ),
      })
      .describe('A table of uids.'),
  ]),
);

const people = z.lazy(() =>
  z
    .strictObject({
      uid: z
        .string()
        .default('{id}')
        .describe('Template of a person\'s uid. Fields: {id}, {handle}, {name}, {email}. Default "{id}".'),
      uids: ids
        .default({})
        .describe('Uids that you set, by the id in the export. They take precedence over the lookup and the template.'),
      lookup: lookupSchema
        .default('none')
        .describe(
          'Table of uids that people already have: a CSV or JSON file next to this one. It takes precedence over the template.',
        ),
      merge: merges
        .default([])
        .describe('Accounts of the same person: [[U1, U2]] merges both into the first. The name of the first is used.'),
      unknownAuthors: choice(
        ['placeholder', 'skip', 'reject'],
        'Authors that no file of the export describes: create a placeholder person, or skip or reject their messages.',
      ),
      collisions: choice(
        ['stop', 'hash'],
        'If several people get the same uid: stop and name them, or append a hash of the id to all of these uids but one. A person who had the uid in an earlier plan keeps it.',
      ),
      bots: choice(['keep', 'skip'], 'Messages written by bots: keep or skip them.'),
      guests: choice(['keep', 'skip'], 'Messages written by guests: keep or skip them.'),
      deleted: choice(
        ['keep', 'placeholder', 'skip'],
        'People with deleted accounts: keep their names, name them all "Deleted user", or skip their messages.',
      ),
      former: choice(
        formerWays,
        'Messages in groups of which their authors are no members any more, where people are imported: send them and ask if the service refuses them, make the authors members for the time of the import and remove them after it, or skip the messages.',
      ),
      everyone: z
        .boolean()
        .default(false)
        .describe(
          'Whom a destination gets that imports people: everybody in the export, or only those of conversations that are sent.',
        ),
      emailAs: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Key of the metadata of people under which their e-mail addresses go, where people are imported. Default: no address goes.',
        ),
      phoneAs: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Key of the metadata of people under which their telephone numbers go, where people are imported. Default: no number goes.',
        ),
      botRole: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Role of bots, where people are imported. The service has to have this role. Default: that of everybody.',
        ),
    })
    .describe('People become users.'),
);

const conversations = z.lazy(() =>
  z
    .strictObject({
      guid: z
        .string()
        .default('{id}')
        .describe('Template of a group\'s guid. Fields: {id}, {name}, {type}. Default "{id}".'),
      guids: ids.default({}).describe('Guids that you set, by the id in the export.'),
      rename: z
        .record(z.string(), z.string().min(1))
        .default({})
        .describe('Names of groups that you set, by the id in the export.'),
      merge: merges
        .default([])
        .describe(
          'Conversations that become one: [[C1, C2]] sends the messages of both to the first, in order of time.',
        ),
      exclude: names('Conversations to leave out, by id or name.'),
      type: choice(
        ['as-exported', 'private', 'public'],
        'Type of groups: public if the export says so, all private, or all public.',
      ),
      types: z
        .record(z.string(), z.enum(['private', 'public']))
        .default({})
        .describe('Types of single groups, by the id in the export.'),
      owner: choice(['none', 'creator'], 'Owner of groups: none, or the creator if the export names one.'),
      owners: ids.default({}).describe("Owners of single groups: the owner's uid, by the group's id in the export."),
      members: choice(
        ['ask', 'writers', 'none'],
        'Members of groups for which the export lists none, where people are imported: none until you decide (check members-not-listed), the people who wrote in them, or none.',
      ),
      outsiders: choice(
        ['group', 'reject'],
        'If a third person writes in a direct conversation: make it a group, or reject the messages of that person.',
      ),
      first: names('Conversations to send before all others, by id or name, in order.'),
      order: choice(
        ['largest', 'recent'],
        'Which conversations are sent first: the largest (fewest requests), or those written in most recently.',
      ),
    })
    .describe('Conversations become groups, or one-to-one chats.'),
);

/** Returns whether a key in the message's own metadata is reserved for other uses. */
const isReserved = (key: string) => key === 'chatferry' || key.startsWith('@');

const messages = z.lazy(() =>
  z
    .strictObject({
      system: choice(['skip', 'keep'], 'Lines the platform wrote (joins, topics): skip or keep them.'),
      internal: choice(
        ['skip', 'keep'],
        'Messages that the old system marks as internal (private notes, side conversations, steps of bots): skip them, or keep them. keep shows them to customers: everyone in the conversation can read them.',
      ),
      restricted: choice(
        ['ask', 'skip', 'keep'],
        'Messages that were hidden from some people of their conversation, by a mark in the data of an app or a rule of the platform: skip them and ask (check private-note), skip them, or keep them. keep shows them to everyone in the conversation.',
      ),
      calls: choice(['skip', 'keep'], 'Calls and huddles: skip them, or keep them as text.'),
      deleted: choice(['skip', 'keep'], 'Messages deleted at the source: skip them, or keep the remaining content.'),
      edited: choice(
        ['mark', 'keep', 'skip'],
        'Edited messages: send the last version and mark it in metadata, send it without a mark, or skip it.',
      ),
      empty: choice(
        ['reject', 'skip'],
        'Messages with neither text nor a file that can be attached or named: reject or skip them.',
      ),
      overlong: choice(
        ['reject', 'split', 'truncate'],
        'Texts that are too long for the destination or for textCharsMax: reject them, split them into several messages, or cut them.',
      ),
      textCharsMax: z
        .union([z.literal('none'), z.int().min(100)])
        .default('none')
        .describe(
          'Characters (UTF-16 units) of the longest text; above it, "overlong" decides. At least 100. Default none.',
        ),
      olderThan: ageSchema
        .default('none')
        .describe('Age or date before which "old" decides: 183d, 26w, 2y or 2024-01-01. Default none.'),
      old: choice(['skip', 'reject'], 'Messages older than olderThan: skip or reject them.'),
      threads: choice(
        ['metadata', 'quote', 'flat'],
        'Thread links: keep in metadata, keep there and begin replies with a quote of their root, or drop them.',
      ),
      orphans: choice(
        ['keep', 'unlink', 'skip'],
        'Replies whose root is not in the export: keep them with their link, keep them without it, or skip them.',
      ),
      reactions: choice(
        ['metadata', 'replay', 'drop'],
        'Reactions: keep in metadata, give them again as the people who gave them (like --actions reactions, without metadata), or drop them.',
      ),
      mentions: choice(
        ['metadata', 'drop'],
        'Uids of mentioned people: keep in metadata, or drop them. The text shows @Name either way.',
      ),
      markup: choice(['markdown', 'plain'], 'Bold, links, lists and other markup: send as Markdown, or as plain text.'),
      attachments: choice(
        ['keep', 'placeholder', 'drop'],
        'Files: attach those with an address; the same, with a line of text for each other one; or attach none.',
      ),
      onlyFiles: choice(
        ['name', 'blank'],
        'Messages without text, if none of their files can be attached: name the files in the text, one per line, or treat the messages as blank ("empty" decides).',
      ),
      attachmentUrls: z
        .record(z.string().min(1), z.string())
        .default({})
        .describe('Beginnings of file addresses to replace: { "https://old.example/": "https://new.example/" }.'),
      custom: choice(
        ['metadata', 'drop'],
        'Facts of the platform that have no field of their own: keep in metadata, or drop them.',
      ),
      metadata: z
        .record(
          z.string().refine((key) => !isReserved(key), { error: 'this key is reserved' }),
          z.json(),
        )
        .default({})
        .describe('Constants that are added to data.metadata of every message.'),
      tags: names(
        'Tags that every message gets, in addition to its own. {custom.NAME} inserts a custom fact: "ticket-{custom.ticket}". If a message does not have the fact, the tag is left out.',
      ),
    })
    .describe('Messages become payloads.'),
);

export const rulesSchema = z
  .strictObject({
    version: z.literal(1).default(1).describe('Version of this file format.'),
    source: z.record(z.string(), z.json()).default({}).describe("The source adapter's own options."),
    ids: choice(
      ['transliterate', 'replace'],
      'Letters outside ASCII in uids and guids: transliterate them ("Łukasz" becomes lukasz), or replace them with "-" and a hash.',
    ),
    files: files.prefault({}),
    people: people.prefault({}),
    conversations: conversations.prefault({}),
    messages: messages.prefault({}),
    module: z
      .string()
      .min(1)
      .optional()
      .describe(
        'JavaScript or TypeScript file next to this one that replaces steps of the mapping. It runs with your rights.',
      ),
  })
  .describe('A Chatferry mapping: how an export becomes messages of the service.');

export type Rules = z.output<typeof rulesSchema>;

/** The rules of a mapping that says nothing. */
export const defaultRules = once((): Rules => rulesSchema.parse({}, readOnce));

const yes = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
  error: 'expected true or false',
});

/** Handling of a message whose file could not be copied. */
export const missingMedia = ['wait', 'original', 'name'] as const;
export type MissingMedia = (typeof missingMedia)[number];

const texts = z.record(z.string(), z.string());

/** How the rows of tables are read, and who has seen what becomes of them. */
export const readingSchema = z.lazy(() =>
  z
    .strictObject({
      proposed: yes
        .default(false)
        .describe(
          'Written by "chatferry init": nothing is sent before a person has seen what becomes of the rows. Without it, whoever wrote the mapping vouches for it.',
        ),
      seen: texts
        .default({})
        .describe(
          'Alarms that were shown and found to be right, with what they said: { one-voice: "Support wrote most" }.',
        ),
      confirmed: z
        .strictObject({
          digest: z.string(),
          by: z.string(),
          at: z.string(),
          /** Digest of the section `source`. */
          source: z.string(),
          /** Columns of the tables that are read, with their types. */
          tables: z.record(z.string(), texts).default({}),
          /** Tables that are not read. */
          others: z.array(z.string()).default([]),
          /** Values by which rows are sorted, by role and column. */
          words: z.record(z.string(), z.array(z.string())).default({}),
        })
        .optional()
        .describe(
          'Who confirmed what becomes of the rows, when, and the columns and values of then. Written by Chatferry.',
        ),
    })
    .describe('How rows become messages, and who confirmed it.'),
);
export type ReadingRules = z.output<typeof readingSchema>;

/** `media:` of a mapping or of a job: files of messages are copied to permanent storage. */
export const mediaSchema = z.lazy(() =>
  z.strictObject({
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
        "Hosts that get the token: files.example.com by https alone, or http://files.lan:8080. Default: those that the source is known to keep files at (Slack's files.slack.com).",
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
  }),
);

/** How files of messages are copied to permanent storage. */
export interface MediaRules {
  /** Location of the files: `s3://bucket/prefix`, or a folder. */
  to: string;
  /** Address before the keys, at which people open the files. Required for a folder. */
  address?: string | undefined;
  /** Name of a file there: `{sha256}{ext}`. */
  key: string;
  /** If the file of a message could not be copied. */
  missing: MissingMedia;
  /** Endpoint of a bucket that is not at Amazon, and its region. */
  endpoint?: string | undefined;
  region: string;
  /** Path of a file with the keys of the bucket. */
  credentials?: string | undefined;
  /** Path of a file with the token of the old system that opens its files; it is sent to `tokenHosts` alone. */
  token?: string | undefined;
  tokenHosts?: readonly string[] | undefined;
  /** Files that are copied at the same time, and requests to one host. */
  concurrency: number;
  perHost: number;
  /** Bytes a second that are fetched, and bytes of a file, at most. */
  bandwidth?: number | undefined;
  maxBytes: number;
  /** How long one file may take, in ms. */
  timeout: number;
  /** Whether width and height of pictures are written into metadata. */
  dimensions: boolean;
  /** Whether small pictures are made too; needs the package sharp. */
  thumbnails: boolean;
}
true satisfies Same<z.output<typeof mediaSchema>, MediaRules>;

export type LookupRule = Exclude<z.output<typeof lookupSchema>, 'none'>;

export interface PersonTraits {
  /** Whether a file of the export describes them. */
  readonly isKnown: boolean;
  readonly isBot: boolean;
  readonly isGuest: boolean;
  readonly isDeleted: boolean;
  /** False for a person who is missing in the table of `people.lookup`. */
  readonly isListed: boolean;
}
