import { describe, expect, it } from 'vitest';
import { enumWords } from '../../../src/sources/database/mysql/column.ts';
import { readRights } from '../../../src/sources/database/mysql/rights.ts';

describe('readRights()', () => {
  it.each([
    ["GRANT USAGE ON *.* TO `reader`@`%` IDENTIFIED BY PASSWORD '*A ON B'", ['USAGE']],
    ['GRANT SELECT, SHOW VIEW ON `app`.* TO `reader`@`%`', ['SELECT', 'SHOW VIEW']],
    ['GRANT SELECT (`a`, `INSERT, UPDATE`), UPDATE (`b ON c`) ON `app`.`t` TO `r`@`%`', ['SELECT', 'UPDATE']],
    ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION', ['ALL PRIVILEGES', 'GRANT OPTION']],
    ['GRANT BACKUP_ADMIN,FLUSH_STATUS ON *.* TO `root`@`localhost`', ['BACKUP_ADMIN', 'FLUSH_STATUS']],
    ['GRANT `writers`@`%` TO `reader`@`%`', []],
    ["SET DEFAULT ROLE 'x' FOR 'y'", []],
  ])('reads %s', (grant, rights) => {
    expect(readRights(grant)).toEqual(rights);
  });
});

describe('enumWords()', () => {
  it.each([
    ["enum('a','b c')", ['a', 'b c']],
    ["enum('it''s','','a,b',')')", ["it's", '', 'a,b', ')']],
    ["enum('two\\nlines','back\\\\slash')", ['two\nlines', 'back\\slash']],
  ])('reads %s', (declared, words) => {
    expect(enumWords(declared)).toEqual(words);
  });
});
