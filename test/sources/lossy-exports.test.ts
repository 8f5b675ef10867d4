import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReportData } from '../../src/report/report-data.ts';
import { run } from '../cli/in-process.ts';
import { sharedFolder } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { everyNth } from '../tier.ts';

/** Exit code of a plan, rows read, planned, skipped and invalid, and questions that the plan must ask. */
type Expected = readonly [name: string, exit: number, rows: readonly number[], asks: readonly string[]];

const cases: readonly Expected[] = [
  ['chatwoot-captain', 0, [2, 2, 0, 0], []],
  ['crisp-two-bots', 0, [3, 3, 0, 0], []],
  ['day-heading-in-text/kakaotalk', 0, [3, 3, 0, 0], ['kakaotalk-pasted']],
  ['day-heading-in-text/kakaotalk-dashes', 0, [4, 4, 0, 0], []],
  ['day-heading-in-text/kakaotalk-ios', 0, [2, 2, 0, 0], ['kakaotalk-pasted']],
  ['day-heading-in-text/line', 0, [3, 3, 0, 0], ['line-pasted']],
  ['day-heading-in-text/line-phone', 0, [2, 2, 0, 0], []],
  ['decisions-never-asked/googlevoice', 0, [2, 2, 0, 0], ['googlevoice-no-number', 'googlevoice-spam']],
  ['decisions-never-asked/imessage', 0, [5, 5, 0, 0], ['imessage-same-number', 'imessage-same-members']],
  ['decisions-never-asked/line', 0, [3, 3, 0, 0], ['line-names']],
  ['decisions-never-asked/smsbackup', 0, [2, 2, 0, 0], ['smsbackup-same-number']],
  ['discord-forward-old', 0, [2, 2, 0, 0], []],
  ['discord-range', 0, [1, 1, 0, 0], ['export-is-partial']],
  ['discord-threads', 0, [5, 4, 1, 0], ['export-is-partial']],
  ['discord-webhook', 0, [3, 3, 0, 0], []],
  ['discord-webhook-csv', 0, [2, 2, 0, 0], []],
  ['discord-windows', 0, [3, 3, 0, 0], []],
  ['gc-kinds', 3, [27, 24, 2, 1], []],
  ['googlevoice-mms-words', 0, [2, 2, 0, 0], []],
  ['googlevoice-voicemail', 0, [2, 2, 0, 0], []],
  ['imessage-poll-votes', 0, [3, 3, 0, 0], []],
  ['imessage-send-later', 0, [2, 2, 0, 0], ['imessage-not-sent']],
  ['instagram-2020', 0, [3, 3, 0, 0], []],
  ['intercom-empty-comments', 0, [4, 2, 2, 0], []],
  ['intercom-first-message-1x', 0, [3, 2, 1, 0], []],
  ['intercom-note-and-unsnooze', 0, [4, 2, 2, 0], []],
  ['irc-day-first', 0, [6, 6, 0, 0], []],
  ['irc-layouts', 0, [2, 2, 0, 0], []],
  ['irc-lounge-nick', 0, [12, 4, 8, 0], []],
  ['irc-two-networks', 0, [2, 2, 0, 0], []],
  ['irc-txt-exit0', 0, [6, 5, 1, 0], []],
  ['irc-ubuntu-path', 0, [5, 3, 2, 0], []],
  ['json-indent-pages', 0, [4, 4, 0, 0], ['uid-altered']],
  ['kakaotalk-english/2018', 0, [3, 3, 0, 0], []],
  ['kakaotalk-english/2023', 0, [3, 3, 0, 0], []],
  ['kakaotalk-english/computer', 0, [2, 2, 0, 0], []],
  ['kakaotalk-ios-first-line', 0, [2, 2, 0, 0], []],
  ['kakaotalk-removed-and-hidden/computer', 0, [5, 3, 2, 0], ['kakaotalk-app-or-person']],
  ['kakaotalk-removed-and-hidden/computer-en', 0, [3, 2, 1, 0], ['kakaotalk-app-or-person']],
  ['kakaotalk-removed-and-hidden/mac', 0, [4, 2, 2, 0], []],
  ['line-thai-computer', 0, [7, 3, 4, 0], ['line-app-or-person']],
  ['matrix-bridge', 0, [8, 7, 1, 0], []],
  ['matrix-concatenated', 0, [3, 3, 0, 0], []],
  ['matrix-element-thread-summary', 0, [2, 2, 0, 0], ['export-is-partial']],
  ['matrix-html', 0, [14, 14, 0, 0], []],
  ['matrix-messages-more', 0, [2, 2, 0, 0], ['export-is-partial']],
  ['matrix-sync-limited', 0, [1, 1, 0, 0], ['export-is-partial']],
  ['messenger-2018', 0, [1, 1, 0, 0], []],
  ['messenger-2018-seconds', 0, [1, 1, 0, 0], []],
  ['messenger-e2ee-alone', 0, [1, 1, 0, 0], []],
  ['messenger-e2ee-keyorder', 3, [4, 2, 1, 1], []],
  ['messenger-group-messages', 3, [3, 3, 0, 0], ['unread-chat']],
  ['messenger-mixed-html', 3, [1, 1, 0, 0], ['unread-chat']],
  ['meta-both', 3, [1, 1, 0, 0], ['unread-chat']],
  ...[
    ['mattermost', 2],
    ['pubnub', 3],
    ['quickblox', 2],
    ['sendbird', 3],
    ['stream', 3],
    ['talkjs', 2],
    ['twilio', 3],
  ].map(
    ([source, rows]): Expected => [
      `private-mark-in-own-data/${source}`,
      0,
      [Number(rows), 1, Number(rows) - 1, 0],
      ['private-note'],
    ],
  ),
  ['mime-from-name', 0, [1, 1, 0, 0], []],
  ['quickblox-uikit', 0, [2, 2, 0, 0], []],
  ['rocketchat-card-order', 0, [3, 3, 0, 0], []],
  ['rocketchat-csv-described', 3, [6, 4, 0, 2], []],
  ['rocketchat-overlap', 0, [1, 1, 0, 0], []],
  ['signal-newline-in-string', 0, [2, 2, 0, 0], []],
  ['sigtop-2025', 4, [0, 0, 0, 0], ['unread-chat']],
  ['slack-bot-name', 0, [2, 1, 1, 0], []],
  ['slack-image-block', 0, [10, 10, 0, 0], []],
  ['slack-literal-and-tone', 0, [9, 9, 0, 0], []],
  ['sms-mass-text', 0, [5, 5, 0, 0], []],
  ['stream-querychannels', 0, [2, 2, 0, 0], []],
  ['stream-shadowed', 0, [2, 1, 1, 0], ['private-note']],
  ['teams-blocked-by-policy', 0, [2, 1, 1, 0], ['private-note']],
  ['teams-chat-with-messages', 0, [3, 3, 0, 0], []],
  ['teams-links', 0, [9, 9, 0, 0], []],
  ['teams-nested-replies', 0, [3, 3, 0, 0], ['teams-more-rows']],
  ['teams-rich', 0, [29, 23, 6, 0], ['private-note']],
  ['tg-html-forwards', 0, [4, 3, 1, 0], []],
  ['tg-html-langs', 0, [10, 8, 2, 0], ['export-is-partial']],
  ['tg-html-same-name', 0, [4, 4, 0, 0], ['telegram-same-name']],
  ['tg-new-kinds', 3, [53, 36, 16, 1], []],
  ['twilio-sms-log', 0, [3, 2, 1, 0], []],
  ['utf16-discord', 0, [2, 2, 0, 0], []],
  ['utf16-matrix', 0, [2, 2, 0, 0], ['export-is-partial']],
  ['wa-android-calls', 0, [6, 1, 5, 0], []],
  ['wa-android-community', 0, [27, 8, 19, 0], []],
  ['wa-brackets-minutes', 0, [3, 3, 0, 0], []],
  ['wa-czech-name', 0, [4, 2, 2, 0], []],
  ['wa-ios-arabic-group', 0, [8, 4, 4, 0], []],
  ['wa-ios-group-2024', 0, [29, 15, 14, 0], []],
  ['wa-ios-iso-asked', 0, [4, 4, 0, 0], []],
  ['wa-lrm-person', 0, [4, 4, 0, 0], []],
  ['wa-same-name', 0, [6, 4, 2, 0], ['whatsapp-same-name']],
  ['wa-time-first', 0, [2, 2, 0, 0], []],
  ['wa-two-orders', 0, [5, 4, 1, 0], []],
  ['wa-unknown-halfday', 3, [4, 2, 0, 2], []],
  ['whatsapp-thai-short-year', 0, [4, 4, 0, 0], []],
  ['words-in-structure/chatwoot', 0, [2, 2, 0, 0], []],
  ['words-in-structure/sendbird', 0, [2, 2, 0, 0], []],
  ['words-in-structure/slack', 0, [3, 3, 0, 0], []],
  ['words-in-structure/zendesk', 0, [3, 3, 0, 0], []],
  ['zendesk-deleted-file', 0, [2, 1, 1, 0], []],
  ['zulip-poll', 0, [1, 1, 0, 0], []],
];

const folder = sharedFolder('cases');
const home = temporaryFolder();
/** Some cases have rows of the end of 2026. */
const clock = new VirtualClock(Date.parse('2026-11-26T12:00:00Z'));

describe.skipIf(folder === null)('an export in which others lost messages silently', () => {
  it.each(everyNth(2, cases))('%s is planned with every row accounted for', async (name, exit, rows, asks) => {
    const scene = home.make();
    cpSync(join(folder!, name), join(scene, 'export'), { recursive: true });
    // What is wrong with it, in words: no part of the export.
    rmSync(join(scene, 'export', 'why.txt'), { force: true });
    const { code, stdout } = await run(['plan', 'export', '--quiet', '--format', 'json'], { folder: scene, clock });
    const path = join(scene, 'chatferry.report/report.json');
    const { totals, problems } = JSON.parse(readFileSync(path, 'utf8')) as ReportData;
    const { read, planned, skipped, invalid } = totals;
    expect({ code, rows: [read, planned, skipped, invalid] }, stdout).toEqual({ code: exit, rows });
    expect(problems.map((problem) => problem.code)).toEqual(expect.arrayContaining([...asks]));
  });
});
