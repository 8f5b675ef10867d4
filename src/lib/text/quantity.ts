import { countOf, formatCount } from './count.ts';

/** `0.4 s`, `34 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`: two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${trimZero((Math.max(0, ms) / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.round(minutes / 60), 24, 'd', 'h');
}

function twoUnits(count: number, per: number, large: string, small: string): string {
  const head = `${formatCount(Math.floor(count / per))} ${large}`;
  return count % per === 0 ? head : `${head} ${count % per} ${small}`;
}

const trimZero = (decimal: string): string => decimal.replace(/\.0$/, '');

/** `812 bytes`, `1.4 MiB`, `412 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return countOf(bytes, 'byte');
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let value = bytes / 1_024;
  while (value >= 1_023.5 && units.length > 1) {
    value /= 1_024;
    units.shift();
  }
  return `${value < 10 ? trimZero(value.toFixed(1)) : formatCount(value)} ${units[0]}`;
}
