/** Whether a path fits: `*` and `?` match anything but "/", `**` matches anything. */
export function globMatcher(glob: string): (path: string) => boolean {
  const pattern = glob.replaceAll(/\*\*\/?|[*?]|[\\^$.+()[\]{}|/]/g, (part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  const expression = new RegExp(`^${pattern}$`, 'su');
  return (path) => expression.test(path);
}
