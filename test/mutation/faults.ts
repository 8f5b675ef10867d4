/** A mistake that somebody could make, put into a copy of the code to see whether a test notices. */
export interface Fault {
  /** What would happen to whom: the name of the fault. */
  readonly harm: string;
  /** Where the text stands; found as well where it has moved, as long as it stands in one file alone. */
  readonly file: string;
  /** Once in the file, to the letter. */
  readonly text: string;
  readonly becomes: string;
  /** Tests that should notice: folders and files, as Vitest is given them. */
  readonly tests: readonly string[];
}

/**
 * Faults that matter: something is lost, comes twice, out of order or to the wrong people, is counted wrong, leaks, or ends with the
 * wrong exit code. Along the way of a message, from the bytes of an export to the report.
 */
export const faults: readonly Fault[] = [
  {
    harm: 'bytes of a damaged ZIP entry are taken for messages',
    file: 'src/io/zip/zip-content.ts',
    text: 'assertChecksum(crc32(content), entry);',
    becomes: '',
    tests: ['test/io/zip'],
  },
  {
    harm: 'lines that a chunk cuts change while the next one is read',
    file: 'src/io/json/json-lines.ts',
    text: 'this.#pieces.push(Buffer.from(piece))',
    becomes: 'this.#pieces.push(piece)',
    tests: ['test/io/json-lines'],
  },
  {
    harm: 'half of a row stays, of a CSV file that was read while it was written',
    file: 'src/io/csv/csv-rows.ts',
    text: 'growing?.onEnd(unfinishedFrom);',
    becomes: 'growing?.onEnd(reader.next);',
    tests: ['test/io/csv-rows', 'test/plan/growing'],
  },
  {
    harm: 'a file that was changed in its middle is read on from its old end',
    file: 'src/plan/changed-files.ts',
    text: 'if (found?.sum !== end.sum) return false;',
    becomes: 'if (found === undefined) return false;',
    tests: ['test/plan/growing'],
  },
  {
    harm: 'one message in a thousand of a large JSON array is lost',
    file: 'src/sources/kit/json-array.ts',
    text: 'else yield { firstIndex, values };',
    becomes: 'else yield { firstIndex, values: values.slice(1) };',
    tests: ['test/sources/kit', 'test/sources/slack'],
  },
  {
    harm: 'milliseconds of Slack times are others, and messages out of order',
    file: 'src/sources/slack/timestamp.ts',
    text: '* 1000 + digits(ts, 11, 14)',
    becomes: '* 1000 + digits(ts, 12, 15)',
    tests: ['test/sources/slack'],
  },
  {
    harm: 'what was deleted in Slack is imported',
    file: 'src/sources/slack/message.ts',
    text: 'read.record.isDeleted = true;',
    becomes: 'read.record.isPinned = true;',
    tests: ['test/sources/slack'],
  },
  {
    harm: 'equal rows without ids become one message',
    file: 'src/sources/kit/row-identity.ts',
    text: 'return count === 1 ? hash',
    becomes: 'return count > 0 ? hash',
    tests: ['test/sources', 'test/plan/growing'],
  },
  {
    harm: 'messages of two conversations with the same id get one muid',
    file: 'src/mapping/muid.ts',
    text: ' || last.conversation !== conversation) {',
    becomes: ') {',
    tests: ['test/mapping/muid'],
  },
  {
    harm: 'private channels become public groups',
    file: 'src/mapping/map-conversation.ts',
    text: "return type === 'public' ? 'public' : 'private';",
    becomes: "return isChannel ? 'public' : 'private';",
    tests: ['test/mapping'],
  },
  {
    harm: 'a long text loses a character at each place where it is split',
    file: 'src/mapping/message/too-long.ts',
    text: "rest.slice(/\\s/.test(rest[end] ?? '') ? end + 1 : end)",
    becomes: 'rest.slice(end + 1)',
    tests: ['test/mapping'],
  },
  {
    harm: 'messages that are too large in UTF-8 are planned, and refused when it is too late',
    file: 'src/mapping/checks/blocking.ts',
    text: 'data.length * 3 <= dataBytesMax',
    becomes: 'data.length <= dataBytesMax',
    tests: ['test/mapping'],
  },
  {
    harm: 'messages outside the filter of a pilot are sent',
    file: 'src/plan/entry-mapper.ts',
    text: 'if (!isInside) return',
    becomes: 'if (!isInside && !conversation.isExcluded) return undefined; else if (!isInside) return',
    tests: ['test/plan/only', 'test/cli/only'],
  },
  {
    harm: 'of two versions of a message the older one is sent',
    file: 'src/checkpoint/staging/finish-staging.ts',
    text: 'ORDER BY coalesce(m.edited_at, 0) DESC, f.input',
    becomes: 'ORDER BY coalesce(m.edited_at, 0) ASC, f.input',
    tests: ['test/checkpoint', 'test/plan/plan'],
  },
  {
    harm: 'a message that was taken back and left the export is forgotten, with the muid that is used up',
    file: 'src/checkpoint/staging/finish-staging.ts',
    text: "(v.state <> 'pending' OR v.generation > 1))",
    becomes: "(v.state <> 'pending'))",
    tests: ['test/commands/undo'],
  },
  {
    harm: 'a person whose name was cut keeps half a name',
    file: 'src/checkpoint/staging/people.ts',
    text: 'doubted.size > 0 && doubted.has(find.get(sourceId) ?? 0)',
    becomes: 'doubted.size < 0',
    tests: ['test/plan/growing'],
  },
  {
    harm: 'a request leaves before the store knows of it: a kill sends it twice',
    file: 'src/upload/pace/with-attempt-log.ts',
    text: 'await journal.beginAttempt(',
    becomes: 'void journal.beginAttempt(',
    tests: ['test/upload/with-attempt-log', 'test/simulate'],
  },
  {
    harm: 'after a disk fault it is written on, as if nothing had been lost',
    file: 'src/checkpoint/base/group-commit.ts',
    text: 'if (this.#failure !== undefined) throw this.#failure;',
    becomes: '',
    tests: ['test/checkpoint'],
  },
  {
    harm: 'two processes send from one store',
    file: 'src/checkpoint/base/lock.ts',
    text: "db.exec('BEGIN IMMEDIATE');",
    becomes: '',
    tests: ['test/checkpoint'],
  },
  {
    harm: 'messages of one millisecond are sent in the order of reading',
    file: 'src/checkpoint/delivery/next-rows.ts',
    text: 'ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?',
    becomes: 'ORDER BY m.sent_at, m.seq LIMIT ?',
    tests: ['test/upload'],
  },
  {
    harm: 'a message is left out where a request that fails is halved',
    file: 'src/upload/lanes/bisection.ts',
    text: 'rows.slice(middle)]',
    becomes: 'rows.slice(middle + 1)]',
    tests: ['test/upload'],
  },
  {
    harm: 'sending goes on where the last known message is gone',
    file: 'src/upload/lanes/open-lane.ts',
    text: "return 'last message gone';",
    becomes: 'return 0;',
    tests: ['test/upload'],
  },
  {
    harm: 'after a kill what may still arrive is sent again at once',
    file: 'src/upload/lanes/recover.ts',
    text: 'clock.monotonic() >= graceEndsAt;',
    becomes: 'clock.monotonic() >= 0;',
    tests: ['test/upload', 'test/simulate'],
  },
  {
    harm: 'a message of another time passes for the one that was sent',
    file: 'src/upload/read-back/compare.ts',
    text: 'sentAt: sent.sentAt === listed.sentAt,',
    becomes: 'sentAt: true,',
    tests: ['test/upload/compare', 'test/verify'],
  },
  {
    harm: 'the last messages of a lost answer are looked for too early, and sent twice',
    file: 'src/upload/read-back/read-back.ts',
    text: 'toTimestamp: Math.floor(toMs / 1000) + 1,',
    becomes: 'toTimestamp: Math.floor(toMs / 1000) - 1,',
    tests: ['test/upload', 'test/simulate'],
  },
  {
    harm: 'an error of the server counts as a refusal: what was stored is refused or sent twice',
    file: 'src/service/client/answers/judge.ts',
    text: "if (status >= 500) return 'unclear';",
    becomes: "if (status >= 500) return code === undefined ? 'unclear' : 'rejected';",
    tests: ['test/service', 'test/upload/poison'],
  },
  {
    harm: 'a connection that broke counts as one that never was: its messages are sent twice',
    file: 'src/service/client/answers/judge.ts',
    text: "'ECONNREFUSED',",
    becomes: "'ECONNREFUSED', 'ECONNRESET',",
    tests: ['test/service'],
  },
  {
    harm: 'several processes together send faster than the service allows',
    file: 'src/upload/pace/pace.ts',
    text: 'slot.nextAt = now + waitMs + spacingMs(rate);',
    becomes: 'slot.nextAt = now + waitMs;',
    tests: ['test/upload/pace'],
  },
  {
    harm: 'the wait that the service asks for is cut short',
    file: 'src/upload/pace/with-retry.ts',
    text: 'return Math.max(retryAfterMs, backoff(attempt, random));',
    becomes: 'return backoff(attempt, random);',
    tests: ['test/upload/with-retry'],
  },
  {
    harm: 'verify does not see what is there twice',
    file: 'src/verify/conversation-check.ts',
    text: "if (seen === 'copy') this.#note(",
    becomes: "if (seen !== 'copy' && seen !== 'first') this.#note(",
    tests: ['test/verify'],
  },
  {
    harm: 'undo deletes conversations in which others wrote',
    file: 'src/commands/undo/take-back.ts',
    text: "if (standing.is === 'left') return note(",
    becomes: "if (standing.is === 'left' && !isAsked && call.id < 0) return note(",
    tests: ['test/commands/undo'],
  },
  {
    harm: 'reconcile believes at once that a message is absent, and it is sent twice',
    file: 'src/commands/reconcile/reconcile.ts',
    text: 'lockTakenMs + this.#target.profile.graceLongMs - clock.monotonic();',
    becomes: 'lockTakenMs - clock.monotonic();',
    tests: ['test/commands/reconcile'],
  },
  {
    harm: 'retry sends again what stands there with another content',
    file: 'src/commands/retry.ts',
    text: 'exceptCode: differentContent }',
    becomes: "exceptCode: '' }",
    tests: ['test/commands/retry'],
  },
  {
    harm: 'a message counts as imported of which a part was refused',
    file: 'src/checkpoint/migrations/0007.sql',
    text: "WHEN d.state = 'refused' OR max(pd.state = 'refused') THEN 'refused'",
    becomes: '',
    tests: ['test/plan/mapping-rules', 'test/report', 'test/checkpoint'],
  },
  {
    harm: 'a run that left messages unsent ends with 0',
    file: 'src/report/exit-of-report.ts',
    text: 'if (stopped || isLeft) return exitCodes.stopped;',
    becomes: 'if (stopped) return exitCodes.stopped;',
    tests: ['test/report', 'test/cli/exit-codes'],
  },
  {
    harm: 'the configuration file beats the environment: messages go elsewhere',
    file: 'src/config/load-options.ts',
    text: "if (value !== undefined && value !== '') given.set(",
    becomes: "if (value !== undefined && value !== '' && !given.has(name)) given.set(",
    tests: ['test/config'],
  },
  {
    harm: 'the API key stays readable in base64',
    file: 'src/lib/secret.ts',
    text: 'JSON.stringify(value).slice(1, -1), base64];',
    becomes: 'JSON.stringify(value).slice(1, -1)];',
    tests: ['test/lib'],
  },
  {
    harm: 'text of an export breaks out of an attribute of the report',
    file: 'src/lib/html.ts',
    text: '[&<>"\'`]|',
    becomes: '[&<>`]|',
    tests: ['test/lib', 'test/report'],
  },
  {
    harm: 'the sandbox takes a muid twice, and rehearsals prove nothing',
    file: 'src/sandbox/operations/import-messages.ts',
    text: "if (rules.duplicates === 'stored' || !messages.hasMuid(muid)) return undefined;",
    becomes: "if (rules.duplicates === 'stored' || rules.itemsMax > 0) return undefined;",
    tests: ['test/sandbox/import-messages', 'test/sandbox/conformance'],
  },
  {
    harm: 'a job waits for years, because the clock was ahead once',
    file: 'src/sync/schedule.ts',
    text: 'return dueMs !== null && lastMs !== undefined && dueMs > lastMs;',
    becomes: 'return dueMs !== null && lastMs !== undefined && dueMs < 0;',
    tests: ['test/sync/scheduler'],
  },
];
