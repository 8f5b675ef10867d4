import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { me, messageOf, textPage } from './pages.ts';

const perPage = 20;
const people = 200;

/** Writes about so many bytes: pages of 20 messages, each fourth of a group. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const calls = join(folder, 'Takeout', 'Voice', 'Calls');
  mkdirSync(calls, { recursive: true });
  const card = 'BEGIN:VCARD\nFN:Ines\nitem1.TEL:+15555550100\nitem1.X-ABLabel:Google Voice\nEND:VCARD\n';
  writeFileSync(join(folder, 'Takeout', 'Voice', 'Phones.vcf'), card);
  let [written, count] = [0, 0];
  for (let page = 0; written < bytes; page++) {
    const personOf = (n: number) => ({ name: `Person ${n % people}`, number: `+1555555${1000 + (n % people)}` });
    const others = page % 4 === 3 ? [0, 1, 2].map((n) => personOf(page + n)) : [personOf(page)];
    const begin = Date.UTC(2020, 0, 1) + page * 3_600_000;
    const messages = Array.from({ length: perPage }, (_, n) => {
      const at = new Date(begin + n * 7001).toISOString().replace('Z', '+00:00');
      const by = n % 2 === 0 ? others[n % others.length]! : me;
      return messageOf(at, by, `Message ${page} ${n}: ${'with some words '.repeat(n % 8)}to the end`);
    });
    const isGroup = others.length > 1;
    const name = isGroup ? 'Group Conversation' : `${others[0]!.name} - Text`;
    const text = textPage(name, messages, isGroup ? { participants: others } : {});
    const time = new Date(begin).toISOString().slice(0, 19).replaceAll(':', '_');
    writeFileSync(join(calls, `${name} - ${time}Z.html`), text);
    written += text.length;
    count += perPage;
  }
  return count;
}
