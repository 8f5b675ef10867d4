import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readChanges, releaseChanges, sectionOf, withSection } from '../../scripts/release.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { root } from './tracked-files.ts';

const home = temporaryFolder();
const release = { version: '1.2.0', date: '2027-01-31' };

/** Words that a reader of release notes has to look up, or that another word has replaced. */
const jargon =
  /\b(?:carr(?:y|ied)|the books|muids?|lanes?|nobody|somebody|whoever|told|anew|meanwhile|refactor\w*|idempoten\w*)\b/i;
const pastTense = /\b(?:was|were|did|had|used to)\b/;

/** Returns the faults of a file in `changes/`; empty if it is fine. */
function faultsOf(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  const word = (jargon.exec(text) ?? pastTense.exec(text))?.[0];
  return [
    ...(Buffer.byteLength(text) > 400 ? ['more than 400 bytes'] : []),
    ...(lines.length > 3 ? ['more than three lines'] : []),
    ...lines.filter((line) => !/^[A-Z`].*[^.]\.$/.test(line)).map((line) => `not a sentence: ${line}`),
    ...lines.filter((line) => /\. [A-Z]/.test(line)).map((line) => `two sentences in a line: ${line}`),
    ...(word === undefined ? [] : [`the word "${word}"`]),
  ];
}

/** A checkout with these files in `changes/`. */
function checkoutWith(files: Readonly<Record<string, string>>, changelog = '# Changelog\n\nNothing yet.\n'): string {
  const folder = home.make();
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  mkdirSync(join(folder, 'changes'));
  cpSync(`${root}changes/README.md`, join(folder, 'changes/README.md'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'changes', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'changes', path), text);
  }
  return folder;
}

describe('the files in changes/', () => {
  it('are short sentences in the present tense, one on each line', () => {
    const faults = readChanges(`${root}changes`).flatMap(({ path, lines }) =>
      faultsOf(lines).map((fault) => `${path}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['- `slack` reads threads.', 'not a sentence'],
    ['Threads work', 'not a sentence'],
    ['Threads work. Replies too.', 'two sentences'],
    ['Threads did not work.', 'the word "did"'],
    ['Messages are carried over.', 'the word "carried"'],
    ['A.\nB.\nC.\nD.', 'more than three lines'],
    [`${'Long '.repeat(90)}text.`, 'more than 400 bytes'],
  ])('may not read %j', (text, fault) => {
    expect(faultsOf(text.split('\n')).join()).toContain(fault);
  });

  it.each([
    [{ 'improved/sources-slack.md': 'Reads more.\n' }, 'is in no folder of a kind'],
    [{ 'sources-slack.md': 'Reads more.\n' }, 'is in no folder of a kind'],
    [{ 'fixed/slack.md': 'Reads more.\n' }, 'begins with no area'],
  ])('are refused as %j', (files, reason) => {
    expect(() => readChanges(join(checkoutWith(files), 'changes'))).toThrow(reason);
  });
});

describe('npm run release-notes', () => {
  const files = {
    'fixed/cli-colours.md': 'Colours work.\n',
    'fixed/sources-slack-threads.md': 'Threads keep their parent.\nReplies too.\n',
    'added/report-pdf.md': 'Reports come as PDF.\n',
  };
  const section =
    '## 1.2.0 (2027-01-31)\n\n### Added\n\n- report: Reports come as PDF.\n\n' +
    '### Fixed\n\n- sources: Threads keep their parent. Replies too.\n- cli: Colours work.\n';

  it('writes a section with the changes by kind and area, and deletes their files', () => {
    const folder = checkoutWith(files);
    expect(releaseChanges(folder, release)).toBe(3);
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(`# Changelog\n\n${section}`);
    expect(readChanges(join(folder, 'changes'))).toEqual([]);
    expect(readFileSync(join(folder, 'changes/README.md'), 'utf8')).toContain('# Changes');
  });

  it('puts the section before earlier ones', () => {
    const earlier = '## 1.1.0 (2027-01-02)\n\n### Fixed\n\n- cli: Help is shorter.\n';
    const changes = readChanges(join(checkoutWith(files), 'changes'));
    expect(withSection(`# Changelog\n\n${earlier}`, sectionOf(changes, release))).toBe(
      `# Changelog\n\n${section}\n${earlier}`,
    );
  });

  it('writes no version twice, and none without changes', () => {
    const folder = checkoutWith(files, `# Changelog\n\n${section}`);
    expect(() => releaseChanges(folder, release)).toThrow('CHANGELOG.md already has "## 1.2.0"');
    expect(readChanges(join(folder, 'changes'))).toHaveLength(3);
    expect(() => releaseChanges(checkoutWith({}), release)).toThrow('changes/ holds no change');
  });
});
