import { existsSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with what takes long, so that no process is left alone with it in the end. A fresh clone knows no durations. @param paths Longest first. */
export function dearestFirst(paths: readonly string[]): typeof BaseSequencer {
  const gone = paths.filter((path) => !existsSync(path));
  if (gone.length > 0) throw new Error(`No such test file: ${gone.join(', ')}`);
  const rankOf = ({ moduleId }: TestSpecification) => {
    const rank = paths.findIndex((path) => moduleId.endsWith(`/${path}`));
    return rank < 0 ? paths.length : rank;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
    }
  };
}
