import { existsSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take the most, longest first; the first two mostly wait, each for minutes. */
const dearest = [
  'pace-real',
  'fleet-chaos',
  'fleet-simulations',
  'fleet-simulations-second-half',
  'memory',
  'simulations',
  'killed',
  'month',
  'kills',
  'mutation',
  'write-sweep',
  'power-loss',
];
const pathOf = (name: string) => `test/long/${name}.test.ts`;

/** What takes long begins first, so that no process is left alone with it in the end. A fresh clone knows no durations. */
export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = dearest.filter((name) => !existsSync(pathOf(name)));
    if (gone.length > 0) throw new Error(`There is no such long proof any more: ${gone.join(', ')}`);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = dearest.findIndex((name) => moduleId.endsWith(`/${pathOf(name)}`));
      return rank < 0 ? dearest.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
