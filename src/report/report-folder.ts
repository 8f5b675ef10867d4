import type { Options } from '../config/options.ts';

/** `chatferry.db` → `chatferry.report`. */
export const reportFolderOf = ({ report, store }: Pick<Options, 'report' | 'store'>): string =>
  report ?? `${store.replace(/\.db$/, '')}.report`;
