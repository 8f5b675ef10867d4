import { asks, runs, sets } from '../../model/option.ts';
import { countOf, formatCount } from '../../lib/text/count.ts';
import { keptFromMs } from '../../service/profiles.ts';
import type { BlockingCheck } from './check.ts';

export const dayMs = 86_400_000;
/** The first second of 1971: anything before is a unit that was taken for another, or a time that was not there. */
export const earliestMs = 365 * dayMs;

/** Characters of a message other than its data and tags: ids, times, and the details of two people that may be sent with it. */
const othersMax = 2000;

/** Asked of every message as it would be sent, in this order: the first that finds something names the fault. */
export const blockingChecks: readonly BlockingCheck[] = [
  {
    code: 'content-not-read',
    severity: 'blocks',
    title: 'Messages whose content is not read',
    explanation:
      'The message has neither text nor a file, but fields that hold something of a kind that is not known: words or a picture that people may have seen. The reason names the fields. messages.empty does not leave such messages out.',
    remedy: 'Look at the row. Report the names of the fields to us, or write what people saw into the text of the row.',
    find({ text, attachmentCount, unread }) {
      if (unread === undefined || attachmentCount > 0 || text.trim() !== '') return undefined;
      return `no text, but content in ${unread.map((name) => JSON.stringify(name)).join(', ')}`;
    },
  },
  {
    code: 'blank-text',
    severity: 'blocks',
    title: 'Blank messages',
    explanation:
      'The message has neither text nor a file that could be attached or named. The service refuses blank messages.',
    remedy: 'Set messages.empty: skip in the mapping to leave them out by rule.',
    asked: {
      question: 'What should become of messages with neither text nor a file?',
      options: [sets('Leave {count} out by rule', { 'messages.empty': 'skip' })],
    },
    find({ text, attachmentCount }) {
      return attachmentCount === 0 && text.trim() === '' ? 'neither text nor a usable attachment' : undefined;
    },
  },
  {
    code: 'time-out-of-range',
    severity: 'blocks',
    title: 'Impossible times',
    explanation:
      'The time of the message is before 1971 or more than a day in the future: usually seconds read as milliseconds.',
    remedy: 'Check the time format of the source.',
    asked: {
      question: 'How are the times of messages written?',
      options: [asks('Give the format of the times', 'source.messages.time.format', 'unix-ms')],
    },
    find({ sentAtMs, nowMs }) {
      if (sentAtMs >= earliestMs && sentAtMs <= nowMs + dayMs) return undefined;
      const time = Math.abs(sentAtMs) <= 8.64e15 ? new Date(sentAtMs).toISOString() : `${sentAtMs} ms`;
      return `sent at ${time}`;
    },
  },
  {
    code: 'too-old',
    severity: 'blocks',
    title: 'Messages older than the destination keeps them',
    explanation: 'The message is older than the destination keeps messages, and it refuses such an import.',
    remedy:
      'If the service keeps your messages longer, say so with --retention-days; else ask it for a longer retention, or leave old messages out with messages.olderThan.',
    asked: {
      question: 'How far back should messages be moved?',
      options: [
        asks('Leave older messages out by rule', 'messages.olderThan', '183d'),
        runs('Plan again with the days for which the service keeps your messages', 'plan EXPORT --retention-days N'),
      ],
    },
    inShort: ({ retentionDays }) =>
      retentionDays === undefined ? undefined : `older than the ${countOf(retentionDays, 'day')} the service keeps`,
    find({ sentAtMs, nowMs, limits: { retentionDays } }) {
      if (retentionDays === undefined) return undefined;
      if (sentAtMs >= keptFromMs(nowMs, retentionDays)) return undefined;
      return `${formatCount(Math.ceil((nowMs - sentAtMs) / dayMs))} days old, ${formatCount(retentionDays)} allowed`;
    },
  },
  {
    code: 'too-many-tags',
    severity: 'blocks',
    title: 'Too many tags',
    explanation: 'The message has more tags than the destination accepts.',
    remedy: 'Change messages.tags in the mapping.',
    find({ tags, limits: { tagsMax } }) {
      return tagsMax !== undefined && tags.length > tagsMax
        ? `${formatCount(tags.length)} tags, ${formatCount(tagsMax)} allowed`
        : undefined;
    },
  },
  {
    code: 'tag-too-long',
    severity: 'blocks',
    title: 'Tags that are too long',
    explanation: 'The message has a longer tag than the destination accepts.',
    remedy: 'Change messages.tags in the mapping.',
    find({ tags, limits: { tagLengthMax } }) {
      const long = tagLengthMax === undefined ? undefined : tags.find((tag) => tag.length > tagLengthMax);
      return long === undefined
        ? undefined
        : `a tag of ${formatCount(long.length)} characters, ${formatCount(tagLengthMax!)} allowed`;
    },
  },
  {
    code: 'data-too-large',
    severity: 'blocks',
    title: 'Messages that are too large',
    explanation: 'Text, attachments and metadata together are larger than the destination accepts for one message.',
    remedy: 'Shorten it at the source, or ask the service to raise the limit.',
    find({ data, limits: { dataBytesMax } }) {
      // Three UTF-8 bytes per UTF-16 unit at most: counting is only needed near the limit.
      if (dataBytesMax === undefined || data.length * 3 <= dataBytesMax) return undefined;
      const bytes = Buffer.byteLength(data);
      return bytes > dataBytesMax
        ? `${formatCount(bytes)} bytes of data, ${formatCount(dataBytesMax)} allowed`
        : undefined;
    },
  },
  {
    code: 'message-too-large',
    severity: 'blocks',
    title: 'Messages whose JSON is too large',
    explanation: 'The whole message, with people and tags, has more characters than the destination accepts for one.',
    remedy: 'Shorten it at the source, or ask the service to raise the limit.',
    find({ data, tags, limits: { messageCharsMax } }) {
      if (messageCharsMax === undefined || data.length + othersMax <= messageCharsMax) return undefined;
      const chars = data.length + JSON.stringify(tags).length + othersMax;
      return chars > messageCharsMax
        ? `about ${formatCount(chars)} characters, ${formatCount(messageCharsMax)} allowed`
        : undefined;
    },
  },
];
