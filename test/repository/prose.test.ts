import { describe, expect, it } from 'vitest';
import { commentsOf, countHabits, proseOf } from '../../scripts/prose.ts';

const countsIn = (path: string, text: string) =>
  Object.fromEntries(countHabits([path], () => text).flatMap(({ name, count }) => (count > 0 ? [[name, count]] : [])));

describe('the count of habits', () => {
  it('checks comments, sentence by sentence, and no code', () => {
    const code = `const what = 'Of nothing'; // Where there is none, nothing is added.
/**
 * Reads a file. Of several
 * the first.
 */`;
    expect(commentsOf(code).split('\n')).toContain('Of several the first.');
    expect(countsIn('a.ts', code)).toEqual({ 'sentence that begins with "Of"': 1, '"Where" for if or when': 1 });
  });

  it('checks pages without their code', () => {
    const page = '# What it reads\n\nNobody knows.\n\n```sh\necho Of course # meanwhile\n```\n\n- What is it?\n';
    expect(proseOf(page)).not.toContain('echo');
    expect(countsIn('a.md', page)).toEqual({ '"What" as a noun': 1, 'somebody, nobody, whoever': 1 });
  });
});
