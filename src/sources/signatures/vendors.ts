import type { Signature } from './signature.ts';

/** Chat services for applications. */
export const vendors: readonly Signature[] = [
  {
    platform: 'Layer',
    layout: 'an export that is still encrypted',
    marks: [
      {
        files: /(?:^|\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{10}\.tar\.gz\.enc$/i,
        shows: 'the name of an export',
      },
    ],
    advice: 'Decrypt it with the key that Layer sent along: the page of the source "layer" has the commands',
  },
];
