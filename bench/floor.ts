/**
 * The least work that any program would have to do: read the day files of an export, parse them, and turn the messages
 * into JSON again, fifty at a time. Chatferry's rates are compared with it: `node bench/floor.ts FOLDER`.
 */
import { readdirSync, readFileSync } from 'node:fs';

const batchSize = 50;
const folder = process.argv[2]!;

const startedMs = performance.now();
let messageCount = 0;
let byteCount = 0;
for (const conversation of readdirSync(folder, { withFileTypes: true })) {
  if (conversation.isDirectory()) readConversation(`${folder}/${conversation.name}`);
}
const elapsedMs = Math.round(performance.now() - startedMs);
console.log(JSON.stringify({ messages: messageCount, bytes: byteCount, elapsedMs }));

function readConversation(path: string): void {
  for (const day of readdirSync(path)) {
    const messages = JSON.parse(readFileSync(`${path}/${day}`, 'utf8')) as unknown[];
    messageCount += messages.length;
    for (let at = 0; at < messages.length; at += batchSize) {
      byteCount += JSON.stringify(messages.slice(at, at + batchSize)).length;
    }
  }
}
