import { type PathVerdict, sortPaths, withoutClutter, findWrapper } from '../kit/files/paths.ts';

/**
 * Sorts the files. The export's lines are at the top: `.jsonl`, in older ones `export.json`. Deeper files were sent by
 * people, whatever their names are.
 */
export function arrange(paths: readonly string[]) {
  const { own } = withoutClutter(paths);
  const isLines = (path: string) => /^[^/]+\.(?:jsonl|ndjson)$/i.test(path);
  const isOlder = (path: string) => /^[^/]+\.json$/i.test(path);
  const isTop = own.some((path) => !path.includes('/') && (isLines(path) || isOlder(path)));
  const wrapper = isTop || own.length === 1 ? '' : findWrapper(own, isLines) || findWrapper(own, isOlder);
  const isRead = wrapper !== undefined && own.some((path) => isLines(path.slice(wrapper.length))) ? isLines : isOlder;
  const sorted = sortPaths(paths, (path): PathVerdict<'lines'> => {
    if (wrapper === undefined || !path.startsWith(wrapper)) return undefined;
    const inside = path.slice(wrapper.length);
    if (own.length === 1 || isRead(inside)) return 'lines';
    if (inside.startsWith('data/')) return { skip: 'A file or a picture; posts and people name it' };
    return inside === 'warnings.txt'
      ? { skip: 'Warnings of the server about its export; holds no messages' }
      : undefined;
  });
  return { wrapper: wrapper ?? '', sorted };
}
