import type { Signature } from './signature.ts';

/** Chat services for applications. */
export const vendors: readonly Signature[] = [
  {
    platform: 'Applozic, Kommunicate',
    layout: 'messages of a person, as the API lists them',
    marks: [
      {
        objects: [
          {
            at: '/message/*',
            keys: ['key', 'to', 'message', 'createdAtTime', 'type', 'contentType'],
            values: { key: /^[45]-.{1,80}-\d{10,}$/ },
          },
        ],
      },
    ],
    // No field of a row names the person whose list it is; both copies of a message have the same key after "4-" and "5-".
    advice: `The answer does not say whose messages they are. Save the list of each person as ID.json, and convert it: jq -c --arg me ID '.message[] | {id: (.key | sub("^[45]-"; "")), conversation: (if .groupId then "group-\\(.groupId)" else ([$me, .to] | sort | join("+")) end), author: (if .type == 5 then $me else .to end), created_at: .createdAtTime, text: .message, file: .fileMeta.name}' ID.json >> all.ndjson. A message of two people is in both lists: sort -u all.ndjson > messages.ndjson, and read that as JSON with a mapping, "chatferry init". In a group, look whether "to" is who wrote`,
  },
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
