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
    advice:
      'Decrypt it with your RSA key and what Layer sent along: openssl enc -d -aes-256-cbc -K "$(echo ENCRYPTED_AES_KEY | base64 -d | openssl pkeyutl -decrypt -inkey layer-export-key.pem | xxd -p -c 64)" -iv "$(echo AES_IV | base64 -d | xxd -p)" -in FILE -out export.tar.gz. Unpack that, and run "chatferry inspect" on it: it says how to go on',
  },
  {
    platform: 'Layer',
    layout: 'a decrypted export, or saved answers of its APIs',
    // https://github.com/thomasclarke1969/documentation: platform/data/export.md, client/introduction/{message,conversation,identity}.md (2026-11).
    marks: [
      {
        objects: [
          {
            at: '**',
            keys: ['id', 'conversation', 'parts', 'sender', 'sent_at'],
            values: { id: /^layer:\/\/\/messages\// },
          },
        ],
      },
      {
        objects: [
          { at: '**', keys: ['id', 'participants', 'distinct'], values: { id: /^layer:\/\/\/conversations\// } },
        ],
      },
      { objects: [{ at: '**', keys: ['id', 'user_id'], values: { id: /^layer:\/\/\/identities\// } }] },
    ],
    // Conversations and events contain copies of messages.
    advice: `Convert its messages, and read them as JSON with a mapping, "chatferry init": jq -c '.. | objects | select(has("parts") and has("sent_at")) | {id: (.id | sub(".*/"; "")), conversation: (.conversation.id | sub(".*/"; "")), author: (.sender | .user_id // .name), created_at: .sent_at, text: ([.parts[] | select(.mime_type | startswith("text/")) | if .encoding == "base64" then .body | @base64d else .body end] | join("\\n")), file: [.parts[].content.download_url // empty][0]}' FILES | sort -u > messages.ndjson. In a scheduled export, messages that were deleted are among them`,
  },
  {
    platform: 'Pusher Chatkit',
    layout: 'its data export, or saved answers of its API',
    // https://github.com/sendbird-graveyard/migrating-from-pusher-chatkit and chatkit-server-go, internal/core/types.go (2026-11).
    marks: [
      {
        objects: [
          { at: '**', keys: ['id', 'sender_id', 'room_id', 'parts', 'created_at'] },
          { at: '**/parts/*', keys: ['part_type', 'payload'] },
        ],
      },
      {
        objects: [
          { at: '**', keys: ['id', 'user_id', 'room_id', 'parts', 'created_at', 'updated_at'] },
          { at: '**/parts/*', keys: ['type', 'content'] },
        ],
      },
      ...['member_ids', 'member_user_ids'].map((members) => ({
        objects: [{ at: '**', keys: ['id', 'created_by_id', 'private', 'name', members] }],
      })),
    ],
    advice: `Convert its messages, and read them as JSON with a mapping, "chatferry init": jq -c '.. | objects | select(has("room_id") and (has("parts") or has("text"))) | [(.parts // [])[] | .payload // .] as $parts | {id, conversation: .room_id, author: (.sender_id // .user_id), created_at, text: (.text // ([$parts[] | select(.type == "text/plain") | .content] | join("\\n"))), file: [$parts[] | .url // .download_url // .attachment.download_url // empty][0]}' FILES | sort -u > messages.ndjson`,
  },
];
