import { asks, outside, runs, sets } from '../../model/option.ts';
import { findMediaType } from '../../lib/files/file-types.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { decisionCheck, noteCheck, type MessageCheck } from './check.ts';
import { isPrivateAddress } from '../../io/web/private-address.ts';

/** Query keys of signed addresses: Amazon S3 and CloudFront, Google Cloud Storage, Azure (`se`), Discord (`ex`). Vendors' pages, 2026-11. */
const signedAddress = /[?&](?:X-Amz-(?:Expires|Signature)|X-Goog-(?:Expires|Signature)|Expires|Key-Pair-Id|se|ex)=/i;

/**
 * Hosts on which chat platforms keep files for members only: Slack, Microsoft, Google, Webex, Mattermost, Zulip.
 * Source: their file pages, 2026-11. A host has 253 characters at most.
 */
const loginHosts =
  /^https?:\/\/(?:files\.slack\.com\/files-pri|[^/]{1,253}\.sharepoint\.com\/|graph\.microsoft\.com\/|(?:drive|chat)\.google\.com\/|webexapis\.com\/|[^/]{1,253}\/(?:api\/v4\/files|user_uploads)\/)/i;

const secretKey = /xox[a-z]-|[?&](?:access_?token|token|api_?key|auth|password)=/i;

/** A token, a key or a password in the address of a file. */
const holdsSecret = ({ url = '' }: Attachment): boolean =>
  secretKey.test(url) || (url.includes('@') && URL.canParse(url) && new URL(url).password !== '');

const moveFiles = 'Give the web address at which the files are now';

/** Ways to answer that several checks of files share. */
export const addressesOfPaths = asks(
  moveFiles,
  'messages.attachmentUrls',
  '{ "./uploads/": "https://files.example/" }',
);
export const newAddresses = asks(
  moveFiles,
  'messages.attachmentUrls',
  '{ "https://old.example/": "https://new.example/" }',
);
export const copyFilesOfExport = runs(
  'Copy the files that the export has to permanent storage',
  'media copy --media-to LOCATION',
);
export const copyFilesWithToken = runs(
  'Copy the files to permanent storage with a token of the old system',
  'media copy --media-to LOCATION --media-token FILE',
);
export const keepAddresses = sets('Send the addresses of {count} as they are', { 'messages.attachments': 'keep' });
export const dropFiles = sets('Send no files at all', { 'messages.attachments': 'drop' });
const copyFiles = runs(
  'Copy the files to permanent storage, from the export or from their addresses',
  'media copy --media-to LOCATION',
);
const nameFiles = sets('Name the files in the texts of {count}', { 'messages.attachments': 'placeholder' });
const sendWithoutFiles = sets('Send {count} without the files', { 'messages.attachments': 'keep' });

/** Checks of the files of a message, based on the export's data about them. */
export const attachmentChecks: readonly MessageCheck[] = [
  decisionCheck({
    code: 'attachment-without-address',
    title: 'Files without an address',
    explanation:
      'The export names the file and gives no address for it: it was deleted, hidden by a plan, or the export was made without files.',
    about: 'message',
    question: 'What should stand in place of files that the export has no address for?',
    options: [nameFiles, sendWithoutFiles, outside('Export again with files, or with an account that may see them')],
    otherwise: 'the message is sent without the file, and metadata keeps its name',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ url }) => url === undefined || url === ''),
  }),
  decisionCheck({
    code: 'attachment-bad-address',
    title: 'Files whose address is not a web address',
    explanation:
      'The address is a path inside the export or of another kind (file:, blob:, mxc:): it cannot be opened at the destination.',
    about: 'message',
    question: 'Where can files be had whose address is no web address?',
    options: [copyFilesOfExport, addressesOfPaths, nameFiles, sendWithoutFiles],
    otherwise: 'the message is sent without the file, and metadata keeps its name',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ url }) => !!url && !(/^https?:\/\//i.test(url) && URL.canParse(url))),
  }),
  decisionCheck({
    code: 'attachment-address-too-long',
    title: 'Files whose address is too long',
    explanation:
      'The destination takes addresses of at most 3,000 characters (properties and constraints page, 2026-11).',
    about: 'message',
    question: 'Where can files be had whose address is too long?',
    options: [
      copyFiles,
      nameFiles,
      sendWithoutFiles,
      outside('Put the files elsewhere, and give their new addresses in the export'),
    ],
    otherwise: 'the message is sent without the file, and metadata keeps its name',
    concerns: 'attachments',
    find: (record) =>
      firstFile(
        record,
        ({ url }) => (url?.length ?? 0) > 3000,
        ({ url }) => `${formatCount(url!.length)} characters, 3,000 allowed`,
      ),
  }),
  noteCheck({
    code: 'attachment-not-https',
    title: 'Files at addresses without TLS',
    explanation: 'Apps and browsers refuse to load http: addresses into an https: page.',
    remedy:
      'Check whether the host also answers https, and rewrite the addresses. Files are only copied (--media-to) from https.',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ url }) => /^http:\/\//i.test(url ?? '')),
  }),
  decisionCheck({
    code: 'attachment-expires',
    title: 'Files whose address expires',
    explanation:
      'The address is signed and stops working after a time (hours to days). The service keeps addresses, it does not copy files.',
    about: 'message',
    question: 'What should become of files whose address will stop working?',
    options: [copyFiles, newAddresses, keepAddresses, dropFiles],
    otherwise: 'the addresses are sent as they are, and stop working after hours or days',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ url }) => signedAddress.test(url ?? '')),
  }),
  decisionCheck({
    code: 'attachment-needs-login',
    title: 'Files behind a login of the old system',
    explanation:
      'Only people who are logged in to the old system, or who have its token, can open the address; when the old system ends, it stops working.',
    about: 'message',
    question: 'What should become of files that open only for people with a login of the old system?',
    options: [copyFilesWithToken, newAddresses, keepAddresses, dropFiles],
    otherwise: 'the addresses are sent unchanged, and stop working when the old system ends',
    concerns: 'attachments',
    // An address with its token needs no login: attachment-token speaks of it.
    find: (record) => firstFile(record, (file) => loginHosts.test(file.url ?? '') && !holdsSecret(file)),
  }),
  decisionCheck({
    code: 'attachment-private-address',
    title: 'Files at addresses of a private network',
    explanation: 'The address belongs to this machine or to an internal network: it cannot be opened from outside.',
    about: 'message',
    question: 'What should become of files that open only inside a private network?',
    options: [newAddresses, keepAddresses, dropFiles, outside('Put the files on a public server')],
    otherwise: 'the addresses are sent unchanged, and cannot be opened from outside that network',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ url }) => isPrivateAddress(url)),
  }),
  decisionCheck({
    code: 'attachment-token',
    title: 'Addresses that contain a secret',
    explanation:
      'The address contains an access token, a key or a password. Every member could read it; when it is withdrawn, the file can no longer be opened.',
    about: 'message',
    question: 'May every member of a conversation read the secret in the addresses of its files?',
    options: [
      copyFiles,
      newAddresses,
      dropFiles,
      sets('Send the addresses of {count} with the secret', { 'messages.attachments': 'keep' }),
      outside('Withdraw the token, once the files were copied'),
    ],
    otherwise: 'the addresses are sent with the secret, and every member can read it',
    concerns: 'attachments',
    find: (record) => firstFile(record, holdsSecret, () => 'the address is not shown here'),
  }),
  noteCheck({
    code: 'attachment-too-large',
    title: 'Files over 100 MB',
    explanation:
      'Clients of the service take files of at most 104,857,600 bytes (client settings, 2026-11); a larger one may not be shown.',
    remedy: 'Nothing, if people only follow the link; otherwise replace the file by a smaller one.',
    concerns: 'attachments',
    find: (record) =>
      firstFile(
        record,
        ({ sizeBytes = 0 }) => sizeBytes > 104_857_600,
        ({ sizeBytes }) => `${formatCount(sizeBytes!)} bytes, 104,857,600 allowed`,
      ),
  }),
  noteCheck({
    code: 'attachment-empty',
    title: 'Files of zero bytes',
    explanation: 'The file is empty: it was probably lost before the export was made.',
    remedy: 'Look whether the old system still has it.',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ sizeBytes }) => sizeBytes === 0),
  }),
  noteCheck({
    code: 'attachment-unnamed',
    title: 'Files without a name',
    explanation: 'Clients show files by their name.',
    remedy: 'Nothing; the file is still reached by its address.',
    concerns: 'attachments',
    find: (record) => firstFile(record, ({ name }) => name.trim() === ''),
  }),
  noteCheck({
    code: 'attachment-type-unknown',
    title: 'Files of unknown type',
    explanation:
      'The export does not say what kind of file it is, so it is sent as a plain file: pictures are not shown in place.',
    remedy: 'Nothing, or add the type to the export.',
    concerns: 'attachments',
    find: (record) => firstFile(record, (file) => !!file.url && findMediaType(file) === undefined),
  }),
  noteCheck({
    code: 'too-many-attachments',
    title: 'More than ten files in one message',
    explanation: 'Clients of the service show at most 10 files of a message (client settings, 2026-11).',
    remedy:
      'Nothing: all files are sent, and clients show ten of them. Post those that are not shown once more after the move, if they matter.',
    concerns: 'attachments',
    find: ({ attachments }) =>
      attachments!.length > 10 ? `${formatCount(attachments!.length)} files, 10 shown` : undefined,
  }),
];

/** The first file of a message that something is wrong with: its name, or what `words` says of it; and how many more there are. */
function firstFile(
  { attachments = [] }: MessageRecord,
  isFound: (file: Attachment) => boolean,
  words: (file: Attachment) => string = describeFile,
): string | undefined {
  const first = attachments.findIndex(isFound);
  if (first < 0) return undefined;
  const others = attachments.slice(first + 1).filter(isFound).length;
  return `${words(attachments[first]!)}${others > 0 ? `, and ${formatCount(others)} more` : ''}`;
}

/** Name and host, never the whole address: it may hold a secret. */
function describeFile({ name, url }: Attachment): string {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
  return [name && `"${name.slice(0, 80)}"`, host && `at ${host}`].filter(Boolean).join(' ') || 'a file';
}
