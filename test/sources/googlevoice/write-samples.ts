/** Writes the pages of `samples/googlevoice`: node test/sources/googlevoice/write-samples.ts */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callPage, me, messageOf, textPage } from './pages.ts';

const ann = { name: 'Ann Ray', number: '+15555550101' };
const ben = { name: '+15555550102', number: '+15555550102' };
const dora = { name: 'Dora', number: '+15555550103' };
const nobody = { name: '', number: '' };

const at = (second: number): string => `2026-03-02T04:00:${String(second).padStart(2, '0')}.250-05:00`;

const calls = 'Takeout/Voice/Calls';

const takeout: Readonly<Record<string, string>> = {
  'Takeout/archive_browser.html': '<html><body>Your files</body></html>\n',
  'Takeout/Voice/Phones.vcf':
    'BEGIN:VCARD\nVERSION:3.0\nFN:Ines Kai\nN:Kai;Ines;;;\nitem1.TEL:+15555550100\nitem1.X-ABLabel:Google Voice\nTEL;TYPE=CELL:+15555550199\nEND:VCARD\n',
  'Takeout/Voice/Bills.html': '<html><body>No bills</body></html>\n',
  'Takeout/Voice/Greetings/hello.mp3': 'A greeting\n',
  [`${calls}/Ann Ray - Text - 2026-03-02T09_00_00Z.html`]: textPage('Ann Ray', [
    messageOf(at(0), ann, 'Is the pier open?'),
    messageOf(at(1), me, 'From six on\nand "until" ten & so'),
    messageOf(at(1), me, 'At the same time'),
  ]),
  // The same conversation on another day, with the number in the address alone.
  [`${calls}/Ann Ray - Text - 2026-03-03T09_00_00Z.html`]: textPage('Ann Ray', [
    messageOf('2026-03-03T04:00:00.000-05:00', ann, 'See https://tides.example.com/today and *that* is it'),
  ]),
  // Only oneself wrote: the number is known from the other pages.
  [`${calls}/Ann Ray - Text - 2026-03-04T09_00_00Z.html`]: textPage('Me to\nAnn Ray', [
    messageOf('2026-03-04T04:00:00.000-05:00', me, 'Are you there?'),
  ]),
  [`${calls}/Eve Low - Text - 2026-03-04T10_00_00Z.html`]: textPage('Me to\nEve Low', [
    messageOf('2026-03-04T05:00:00.000-05:00', me, 'To a name without a number'),
  ]),
  [`${calls}/+15555550104 - Text - 2026-03-04T11_00_00Z.html`]: textPage('Me to', [
    messageOf('2026-03-04T06:00:00.000-05:00', me, 'To a number without a name'),
  ]),
  [`${calls}/Group Conversation - 2026-03-02T09_00_10Z.html`]: textPage(
    'Group Conversation',
    [
      messageOf(
        at(10),
        dora,
        'Do you like my boat?',
        '<img src="Group Conversation - 2026-03-02T09_00_10Z-1-1" alt="Image MMS Attachment" />',
      ),
      messageOf(
        at(11),
        me,
        '',
        '<a class="video" href="Group Conversation - 2026-03-02T09_00_10Z-2-1">Video attachment</a>',
      ),
      messageOf(
        at(12),
        ben,
        'His card',
        '<a class="vcard" href="Group Conversation - 2026-03-02T09_00_10Z-3-1">Contact card attachment</a>',
      ),
    ],
    { participants: [ann, ben, dora], labels: ['inbox', 'sms', 'starred'] },
  ),
  [`${calls}/Group Conversation - 2026-03-02T09_00_10Z-1-1.jpg`]: 'A picture\n',
  [`${calls}/Group Conversation - 2026-03-02T09_00_10Z-3-1.vcf`]: 'A card\n',
  [`${calls}/Dora - Text - 2026-03-02T09_00_20Z.html`]: textPage('Dora', [messageOf(at(20), dora, 'Thrown away')], {
    isDeleted: true,
  }),
  [`${calls}/+15555550105 - Text - 2026-03-02T09_00_21Z.html`]: textPage(
    '+15555550105',
    [messageOf(at(21), { name: '+15555550105', number: '+15555550105' }, 'Win a boat')],
    { labels: ['spam', 'sms'] },
  ),
  [`${calls}/Ann Ray - Placed - 2026-03-02T09_00_30Z.html`]: callPage({
    ...{ heading: 'Placed call to', by: ann, at: at(30), label: 'placed', duration: 'PT1M5S' },
  }),
  [`${calls}/+15555550106 - Received - 2026-03-02T09_00_31Z.html`]: callPage({
    ...{ heading: 'Received call from', by: { name: '', number: '+15555550106' }, at: at(31), label: 'received' },
    duration: 'PT4S',
  }),
  [`${calls}/Ann Ray - Missed - 2026-03-02T09_00_32Z.html`]: callPage({
    ...{ heading: 'Missed call from', by: ann, at: at(32), label: 'missed' },
  }),
  [`${calls}/Ann Ray - Voicemail - 2026-03-02T09_00_33Z.html`]: callPage({
    ...{ heading: 'Voicemail from', by: ann, at: at(33), label: 'voicemail', duration: 'PT22S' },
    transcript: 'Please call me back',
    audio: 'Ann Ray - Voicemail - 2026-03-02T09_00_33Z.mp3',
  }),
  [`${calls}/Ann Ray - Voicemail - 2026-03-02T09_00_33Z.mp3`]: 'A voice\n',
  [`${calls}/Dora - Recorded - 2026-03-02T09_00_34Z.html`]: callPage({
    ...{ heading: 'Recorded call with', by: dora, at: at(34), label: 'recorded', duration: 'PT2H1S' },
    audio: 'Dora - Recorded - 2026-03-02T09_00_34Z.mp3',
  }),
  [`${calls}/ - Missed - 2026-03-02T09_00_35Z.html`]: callPage({
    ...{ heading: 'Missed call from', by: nobody, at: at(35), label: 'missed' },
  }),
};

const whole = textPage('Ann Ray', [
  messageOf(at(0), ann, 'Whole'),
  messageOf('2026-03-02T09:00:00', ann, 'Without a zone'),
  '<div class="message"><abbr class="dt" title="2026-03-02T04:00:02.000-05:00">Mar 2</abbr>: <q>By nobody</q></div>',
  messageOf(at(3), ann, 'With more').replace('</div>', '<b>2 stars</b></div>'),
]);
const cut = textPage('Ann Ray', [messageOf(at(5), ann, 'Before the end'), messageOf(at(6), me, 'Cut off')]);

const damaged: Readonly<Record<string, string>> = {
  'Ann Ray - Text - 2026-03-02T09_00_00Z.html': whole,
  'Ann Ray - Text - 2026-03-02T09_00_05Z.html': cut.slice(0, cut.indexOf('Cut off')),
  'Ann Ray - Text - 2026-03-02T09_00_07Z.html': textPage('Ann Ray', []),
  ' - Text - 2026-03-02T09_00_08Z.html': textPage('', [messageOf(at(8), nobody, 'By a hidden number')]),
  'Ann Ray - Text - 2026-03-02T09_00_09Z.html': `${textPage('Ann Ray', [messageOf(at(9), ann, 'Not closed')]).replace(/<\/body>[\s\S]*/, '')}`,
  'notes.txt': 'Not of Google Voice\n',
};

/** @param root Folder of the samples. */
export function writeSamples(root: string): void {
  for (const [sample, files] of Object.entries({ takeout, 'damaged-pages': damaged }))
    for (const [path, text] of Object.entries(files)) {
      const file = join(root, sample, 'export', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
}

if (import.meta.main) writeSamples('samples/googlevoice');
