import { describe, expect, it } from 'vitest';
import type { Location } from '../../../src/lib/text/location.ts';
import { formatLocation } from '../../../src/lib/text/location.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { xmpp } from '../../../src/sources/xmpp/index.ts';
import { prosodyList, prosodyRows } from '../../../src/sources/xmpp/rows/prosody-file.ts';
import type { Row } from '../../../src/sources/xmpp/rows/row.ts';
import { csvHead, csvRows } from '../../../src/sources/xmpp/rows/table-file.ts';
import { xep0227Rows } from '../../../src/sources/xmpp/rows/xep-0227-file.ts';
import type { XmlNode } from '../../../src/sources/xmpp/xml/xml-node.ts';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { readAll } from '../../contracts/source.ts';

/** Leaves that mean nothing to people, by how their paths end, with the reason. */
const meaningless: readonly (readonly [reason: string, path: RegExp])[] = [
  ['what the element is', /@xmlns(?::\w+)?$/],
  ['ids make the id of the message, and say what belongs to what', /@id$|\/(?:reply|replace|apply-to)@|stanza-id@/],
  ['the kind of stanza', /(?:^|\/)(?:message|presence)@type$/],
  ['the language of a program', /@xml:lang$/],
  ['a device of the person, or the case of letters in an address', /@(?:from|to)$/],
  ['who delayed a message, and why in words', /delay(?:@from|\/#)/],
  ['the plain text says the same', /\/html\//],
  ['positions of text that is left out, or that names a person', /fallback|reference@(?:begin|end|type)$/],
  ['asks a program for something', /^message\/(?:request|markable|store|active)/],
  ['the extension that encrypts, and what it encrypts', /encrypted|encryption|^message\/body\/#I sent you an OMEMO/],
  ['how to show a file, and its check sum', /disposition$|\/hash/],
  ['counted as an element that is not known', /colour/],
  ['a quoted text and a word that become a quote and a style', /#(?:> |\/me )/],
  ['roles in a room at that time', /item@(?:affiliation|role)$/],
  ['the notice around a message of a room', /items@node$/],
];

function* leavesOf(node: XmlNode, path = node.name): Generator<readonly [path: string, value: string]> {
  for (const [name, value] of node.attributes) yield [`${path}@${name}`, value];
  for (const child of node.children) {
    if (typeof child !== 'string') yield* leavesOf(child, `${path}/${child.name}`);
    else if (child.trim() !== '') yield [`${path}/#${child.trim()}`, child];
  }
}

async function* rowsOf(input: ExportInput, path: string): AsyncGenerator<Row> {
  const ignore = () => {};
  const head = csvHead(Buffer.from(await input.head(path, 500)).toString());
  const lists = path.endsWith('.xml')
    ? xep0227Rows(input, path, { name: ignore, include: ignore, other: ignore })
    : path.endsWith('.list')
      ? prosodyRows(input, path, prosodyList(path))
      : csvRows(input, path, head!, { other: ignore, column: ignore });
  for await (const rows of lists) yield* rows;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const keyOf = (location: Location) => formatLocation(location);

/** Everything that is yielded for each row. */
function wordsByRow(entries: readonly Entry[]): ReadonlyMap<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const entry of entries) {
    if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
    const key = keyOf(entry.location);
    const found = wordsOf(JSON.stringify(entry.record).replaceAll('\\n', ' '));
    words.set(key, new Set([...(words.get(key) ?? []), ...found]));
  }
  return words;
}

/** Paths of values that no record has, and how many rows have one. */
async function missingIn(input: ExportInput, change: (node: XmlNode) => XmlNode) {
  const words = wordsByRow(await readAll(xmpp, input));
  const missing: string[] = [];
  let count = 0;
  for (const path of (await input.paths()).filter((name) => !/\.dat$/.test(name))) {
    for await (const row of rowsOf(input, path)) {
      const node = row.read();
      const said = words.get(keyOf(row.location));
      if ('code' in node || said === undefined) continue;
      count += 1;
      for (const [leaf, value] of leavesOf(change(node))) {
        // A time is a number in a record, and a text that was corrected is no longer there.
        if (meaningless.some(([, pattern]) => pattern.test(leaf)) || leaf.endsWith('@stamp') || value === 'Yess')
          continue;
        if (!wordsOf(value).every((word) => said.has(word))) missing.push(`${path} ${leaf}`);
      }
    }
  }
  return { missing, count };
}

describe('the records of an archive', () => {
  const samples = samplesOf('xmpp').filter(({ name }) => !name.startsWith('damaged'));

  it.each(samples)('account for every value of the sample $name', async (sample) => {
    const input = await openSample(sample);
    const { missing, count } = await missingIn(input, (node) => node);
    await input.close();
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(3);
  });

  it('miss what is said nowhere', async () => {
    const input = await openSample(samples[0]!);
    const { missing, count } = await missingIn(input, (node) => ({ ...node, children: [...node.children, 'mauve'] }));
    await input.close();
    expect(missing.length).toBe(count);
  });
});
