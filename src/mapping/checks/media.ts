import type { Check } from './check.ts';

/** What `plan --probe-media` finds by asking addresses: the only codes that need the network. */
export const mediaCodes = [
  {
    code: 'attachment-dead',
    severity: 'decision',
    title: 'Files that are gone',
    explanation: 'The address was asked, and its server says that there is nothing, or will not give it.',
    remedy:
      'Look whether the old system still has the files; put them on a server of your own and rewrite their addresses, or accept that they are lost.',
  },
  {
    code: 'attachment-login-page',
    severity: 'decision',
    title: 'Files that only open after a login',
    explanation:
      'The address was asked without a login, as people at the destination will ask it, and a page for people to log in came back, or a refusal (401, 403), instead of the file.',
    remedy:
      'Download the files with a login while the old system runs, put them on a server of your own, and rewrite their addresses with messages.attachmentUrls.',
  },
  {
    code: 'attachment-unreachable',
    severity: 'information',
    title: 'Files that could not be asked for',
    explanation:
      'The server of the address did not answer, answered with a fault of its own, or sent the question on to an address that is not asked. Nothing is known of the file.',
    remedy:
      'Run the plan with --probe-media again later, or from another network; open one of the addresses in a browser.',
  },
] as const satisfies readonly Check[];

export type MediaCode = (typeof mediaCodes)[number]['code'];
