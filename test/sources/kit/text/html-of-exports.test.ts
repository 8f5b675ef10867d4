import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import type { LostPart } from '../../../../src/model/lost-parts.ts';
import { readPersonal } from '../../../../src/sources/teams/personal-message.ts';
import { Row } from '../../../../src/sources/teams/row.ts';
import { teamsText } from '../../../../src/sources/teams/text.ts';
import { matrixText } from '../../../../src/sources/matrix/text.ts';
import { sharedFolder } from '../../../requirements.ts';

const ofTeams = (html: string) => {
  const row = new Row();
  const said = teamsText(html, row, new Map([['0', 'u1']]));
  return { said: [said, ...row.mentions, ...row.files.map(({ name, url }) => url ?? name)].join(' '), lost: row.lost };
};

const ofMatrix = (html: string) => {
  const lost: Partial<Record<LostPart, number>> = {};
  const content = { body: '', format: 'org.matrix.custom.html', formatted_body: html };
  const { text } = matrixText(content, { nameOf: () => undefined, lose: (part) => (lost[part] = 1) });
  return { said: text, lost };
};

const ofSkype = (content: string, messagetype = 'RichText') => {
  const message = { id: '1', from: '8:a', originalarrivaltime: '2026-03-02T10:00:00Z', messagetype, content };
  const read = readPersonal(message, { workspace: '', conversation: '8:b' });
  if (!('record' in read)) throw new Error(read.reason);
  const { text, attachments = [], author, call, edited, lost } = read.record;
  const files = attachments.map(({ name, sizeBytes, id }) => [name, sizeBytes, id].join(' '));
  return { said: [text, author, ...files, JSON.stringify({ call, edited })].join(' '), lost };
};

/** Tags and attributes that real exports have, in an example, and a word of what must be said or counted. */
const examples: Readonly<Record<string, readonly (readonly [names: string, said: RegExp])[]>> = {
  teams: [
    ['<a href="https://x.example">n</a>', /\[n\]\(https:\/\/x\.example\)/],
    ['<at id="0">n</at>', /@n u1/],
    ['<blockquote>n</blockquote>', /> n/],
    ['<code>n</code>', /`n`/],
    ['<emoji alt="n"></emoji>', /n/],
    ['<i>n</i>', /\*n\*/],
    ['<strong>n</strong>', /\*\*n\*\*/],
    ['<img alt="n" src="https://x.example/n.png">', /https:\/\/x\.example\/n\.png/],
    ['<ul><li>n</li></ul>', /- n/],
    ['<p>n</p>', /n/],
    ['<pre class="language-go"><code>n</code></pre>', /```go\nn\n```/],
    ['<span style="color: red">n</span>', /n.*styles/],
  ],
  matrix: [
    ['<a href="https://x.example">n</a>', /\[n\]\(https:\/\/x\.example\)/],
    ['m<br>n', /m\nn/],
    ['<em>n</em>', /\*n\*/],
    ['<strong>n</strong>', /\*\*n\*\*/],
    ['<ol><li value="2">n</li></ol>', /2\. n/],
    ['<ul><li>n</li></ul>', /- n/],
    ['<p>n</p><span>m</span>', /n\n\nm/],
  ],
  skype: [
    ['<a href="https://x.example">n</a>', /\[n\]\(https:\/\/x\.example\)/],
    ['n<e_m ts="1" ts_ms="1" a="a" t="1"></e_m>', /n.*"edited":\{\}/],
    [
      '<URIObject uri="u" url_thumbnail="u" type="File.1" doc_id="d"><OriginalName v="n"/><FileSize v="7"/></URIObject>',
      /n 7 d .*oldLinks/,
    ],
    ['<addmember><eventtime>1</eventtime><initiator>8:i</initiator><target>8:n</target></addmember>', /8:n 8:i/],
    ['<deletemember><target>8:n</target></deletemember>', /8:n/],
    ['<topicupdate><value>n</value></topicupdate>', /n/],
    [
      '<partlist type="ended" alt="" callId="1"><part identity="8:n"><name>m</name><duration>7</duration></part></partlist>',
      /8:n/,
    ],
  ],
};

/** Attributes without meaning for a reader, and elements that represent attachments. */
const sayingNothing = new Set([
  ...['a.rel', 'a.target', 'a.title', 'p.dir', 'p.id', 'p.itemtype', 'pre.itemid', 'span.class'],
  ...['img.height', 'img.width', 'img.itemid', 'emoji.id', 'emoji.title', 'span.data-lexical-mention'],
  ...['attachment', 'attachment.id', 'systemeventmessage'],
]);

const eventTypes: Readonly<Record<string, string>> = {
  addmember: 'ThreadActivity/AddMember',
  deletemember: 'ThreadActivity/DeleteMember',
  topicupdate: 'ThreadActivity/TopicUpdate',
  partlist: 'Event/Call',
};

function namesIn(html: string): Set<string> {
  const names = new Set<string>();
  const parser = new Parser({
    onopentag(name, attributes) {
      names.add(name);
      for (const key of Object.keys(attributes)) names.add(`${name}.${key}`);
    },
  });
  parser.end(html);
  return names;
}

/** Texts under these keys are HTML. */
const htmlKeys = new Set(['content', 'Content', 'formatted_body']);

function htmlIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return htmlKeys.has(key) && value.includes('<') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, part]) => htmlIn(part, Array.isArray(value) ? key : inner));
}

describe('a tag or attribute that real exports have', () => {
  it.each(
    Object.entries(examples).flatMap(([source, all]) => all.map(([html, said]) => [source, html, said] as const)),
  )('is said or counted in %s: %s', (source, html, said) => {
    const event = eventTypes[/^<(\w+)/.exec(html)?.[1] ?? ''];
    const read = source === 'teams' ? ofTeams(html) : source === 'matrix' ? ofMatrix(html) : ofSkype(html, event);
    expect(`${read.said} ${Object.keys(read.lost ?? {}).join()}`).toMatch(said);
  });

  const folder = sharedFolder('exports');

  it.skipIf(folder === null).each(Object.keys(examples))('has an example here, in exports of %s', (source) => {
    const paths = globSync('**/*.json', { cwd: join(folder!, source) });
    const all = paths.flatMap((path) => htmlIn(JSON.parse(readFileSync(join(folder!, source, path), 'utf8'))));
    const shown = namesIn(examples[source]!.map(([html]) => html).join(''));
    const found = all.flatMap((html) => [...namesIn(html)]);
    expect(found.length).toBeGreaterThan(0);
    expect([...new Set(found)].filter((name) => !shown.has(name) && !sayingNothing.has(name))).toEqual([]);
  });
});
