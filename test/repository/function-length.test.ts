import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { type Module, modules, placeOf } from './modules.ts';

/** Maximum number of lines, from the first line of its head to its last brace. A longer function has a second idea in it. */
const linesMax = 60;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Whether a module must be parsed, which takes most of the time. In formatted code, only the first line of what is at the top begins with a letter in
 * the first column; text of a template may as well.
 */
function mayHaveOne(code: string, max: number): boolean {
  let length = 0;
  for (const line of code.split('\n')) {
    if (line.split('`').length % 2 === 0) return true;
    length = /^[A-Za-z/]/.test(line) ? 1 : length + 1;
    if (length > max) return true;
  }
  return false;
}

/** A schema that is made when it is first used: a declaration, as long as its keys are many. */
const isSchema = (code: string) => /^\(\) =>\s+z\b/.test(code);

/** Functions of a module that are longer than `max` lines, each with its place. */
function longFunctions(module: Module, max = linesMax): string[] {
  const found: string[] = [];
  const look = ({ start, end }: Span) => {
    const code = module.code.slice(start, end);
    const lines = code.split('\n').length;
    if (lines > max && !isSchema(code)) found.push(`${placeOf(module, start)} has ${lines} lines`);
  };
  if (!mayHaveOne(module.code, max)) return found;
  const { program } = parseSync(module.path, module.code);
  new Visitor({ FunctionDeclaration: look, FunctionExpression: look, ArrowFunctionExpression: look }).visit(program);
  return found;
}

describe('a function of src', () => {
  it(`has ${linesMax} lines at most`, () => {
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.flatMap((module) => longFunctions(module))).toEqual([]);
  });

  it.each([
    ['function a() {\n  b();\n}'],
    ['const a = () => {\n  b();\n};'],
    ['class A {\n  a() {\n    b();\n  }\n}'],
    ['export const a = { b() {\n  c();\n} };'],
  ])('is measured in %j', (code) => {
    expect(longFunctions({ path: 'a.ts', code }, 3)).toEqual([]);
    expect(longFunctions({ path: 'a.ts', code }, 2)).toHaveLength(1);
  });
});
