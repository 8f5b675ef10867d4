import type { SourceCode } from '../kit/codes.ts';

export const mattermostCodes: readonly SourceCode[] = [
  {
    code: 'mattermost-no-channel',
    severity: 'blocks',
    title: 'Posts of no channel',
    explanation: 'The line does not say in which channel of which team it stands, or who is in the direct channel.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-no-post',
    severity: 'blocks',
    title: 'Lines of posts without a post',
    explanation: 'The line says that it is a post, and holds none.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-bad-time',
    severity: 'blocks',
    title: 'Posts without a time',
    explanation: '"create_at" is no time in milliseconds.',
    remedy: 'Correct the line, or export again.',
  },
  {
    code: 'mattermost-unknown-line',
    severity: 'information',
    title: 'Lines that are not known',
    explanation: 'The line is of no type that a bulk export has: it is left out.',
    remedy: 'Look at the examples, and report them.',
  },
  {
    code: 'mattermost-unlisted-channel',
    severity: 'information',
    title: 'Channels that no line describes',
    explanation:
      'A post stands in a channel that no line before it describes: it becomes a private group of that name.',
    remedy: 'Export the channels too; archived ones with --include-archived-channels.',
  },
  {
    code: 'mattermost-unlisted-direct',
    severity: 'information',
    title: 'Direct channels that only their posts name',
    explanation:
      'No line describes the direct channel of these people. Servers before 9.5 write the same person twice where the other was deactivated; the posts name both, and they are believed.',
    remedy: 'Nothing.',
  },
  {
    code: 'mattermost-reply-before-root',
    severity: 'information',
    title: 'Replies that are older than what they answer',
    explanation:
      'The reply is older than the post that it answers, as after an import into Mattermost. It gets the time of that post, as Mattermost does it, and stands behind it.',
    remedy: 'Nothing.',
  },
  {
    code: 'mattermost-not-migrated',
    severity: 'information',
    title: 'What people set for themselves, and pictures of emoji',
    explanation:
      'Saved posts, followed threads, read positions, favourites, roles and pictures of custom emoji have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
