import { describe, expect, it } from 'vitest';
import { DroppedNames, refuseName } from '../../src/desk/files/dropped-names.ts';

describe('refuseName()', () => {
  it.each([
    ['of a file', 'export.zip'],
    ['in folders', 'export/general/2026-03-02.json'],
    ['with blanks, quotes and signs', `it's "a" $HOME; chat & <b> #1?.txt`],
    ['that begins with a dot', '.hidden'],
    ['of many dots', '...'],
    ['in any script', 'Überblick/聊天/دردشة/чат.txt'],
    ['with a mark for the direction', '\u200Ephoto.jpg'],
    ['in decomposed form', 'Überblick'.normalize('NFD')],
    ['that only begins like a device', 'console/auxiliary.json'],
    ['with a device in the middle', 'my.con'],
    ['of 200 bytes', 'ä'.repeat(100)],
    ['20 deep', Array.from({ length: 20 }, () => 'a').join('/')],
    ['of a machine', '__proto__/constructor/toString'],
  ])('takes a name %s', (_, name) => {
    expect(refuseName(name, 'linux')).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    ['/etc/passwd', 'empty'],
    ['//server/share', 'empty'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['..', 'another folder'],
    ['../x', 'another folder'],
    ['a/../../x', 'another folder'],
    ['a/.', 'another folder'],
    ['./a', 'another folder'],
    ['..\\x', 'backslash'],
    ['a\\b', 'backslash'],
    ['\\\\server\\share', 'backslash'],
    ['C:/Windows/x', 'drive'],
    ['c:x', 'drive'],
    ['a\0b', 'control'],
    ['a\nb', 'control'],
    ['a\x1b[31m', 'control'],
    ['a\x7f', 'control'],
    ['a\x9b', 'control'],
    ['a\u2028b', 'control'],
    ['\ud800', 'Unicode'],
    ['CON', 'device'],
    ['a/nul.txt', 'device'],
    ['Aux .json', 'device'],
    ['com1', 'device'],
    ['LPT9.log', 'device'],
    ['com¹', 'device'],
    ['CONIN$', 'device'],
    ['prn:x', 'device'],
    [`${'ä'.repeat(100)}x`, '200 bytes'],
    ['x'.repeat(201), '200 bytes'],
    [Array.from({ length: 21 }, () => 'a').join('/'), 'deep'],
  ])('refuses %j', (name, because) => {
    expect(refuseName(name, 'linux')).toContain(because);
  });

  it.each(['a/x:stream', 'what?.txt', 'a*', '<b>', 'ends with a dot.', 'ends with a blank /x'])(
    'refuses %j on Windows alone',
    (name) => {
      expect(refuseName(name, 'win32')).toContain('Windows');
      expect(refuseName(name, 'linux')).toBeUndefined();
    },
  );
});

describe('DroppedNames', () => {
  const holding = (...paths: readonly string[]) => {
    const names = new DroppedNames();
    for (const path of paths) names.add(path, 10);
    return names;
  };

  it.each([
    ['in another case', 'a/Chat.txt', 'a/chat.TXT', 'a/Chat.txt'],
    ['in a folder in another case', 'Chats/a.txt', 'chats/b.txt', 'Chats'],
    ['in another form of Unicode', 'ä.txt', 'ä.txt'.normalize('NFD'), 'ä.txt'],
    ['of a folder', 'a/b/c.txt', 'a/b', 'a/b'],
    ['in a file', 'a/b', 'a/b/c.txt', 'a/b'],
    ['whose upper case is longer', 'STRAẞE', 'straße', 'STRAẞE'],
  ])('finds what a name would be the same as on some system: %s', (_, there, wanted, conflict) => {
    expect(holding(there).conflict(wanted)).toBe(conflict);
  });

  it('finds nothing wrong with names of their own, and with the same name again', () => {
    expect(holding('a/b.txt', 'a/c.txt').conflict('a/d.txt')).toBeUndefined();
    expect(holding('a/b.txt').conflict('a/b.txt')).toBeUndefined();
    expect(holding('toString').conflict('constructor')).toBeUndefined();
  });

  it('counts each file once', () => {
    const names = holding('a', 'b');
    names.add('a', 15);
    expect([names.files, names.bytes, names.sizeOf('a'), names.sizeOf('c')]).toEqual([2, 25, 15, undefined]);
  });
});
