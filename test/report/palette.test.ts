import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { assetFile } from '../../src/lib/package-files.ts';

const tokens = readFileSync(assetFile('web/tokens.css'), 'utf8');

type Triple = readonly [number, number, number];

/** Colours next to each other in one bar. Skipped rows are hatched, so they differ in more than colour. */
const outcomes = ['imported', 'existing', 'failed', 'pending', 'unconfirmed', 'invalid'] as const;

/** How people with a colour deficiency see linear RGB, at full severity: Machado, Oliveira and Fernandes, 2009. */
const eyes: Readonly<Record<string, readonly Triple[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE76. Two patches that differ by 2.3 can just be distinguished side by side; 10 is clear at a glance. */
const differenceMin = 10;

/** Paper has the colours of light. */
const schemes = { light: 1, dark: 2 } as const;

function colourOf(name: string, scheme: keyof typeof schemes): string {
  return new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)`).exec(tokens)![schemes[scheme]]!;
}

const linear = (hex: string): Triple => {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(0), part(2), part(4)];
};

const apply = (matrix: readonly Triple[], [red, green, blue]: Triple): Triple =>
  matrix.map(([a, b, c]) => Math.min(1, Math.max(0, a * red + b * green + c * blue))) as unknown as Triple;

/** CIELAB of linear sRGB, white D65. */
function lab(rgb: Triple): Triple {
  const [x, y, z] = apply(
    [
      [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
      [0.2126, 0.7152, 0.0722],
      [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
    ],
    rgb,
  ).map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

describe('the colours of the report', () => {
  const cases = Object.keys(schemes).flatMap((scheme) => Object.keys(eyes).map((eye) => ({ scheme, eye })));

  test.each(cases)('the colours of outcomes are distinguishable: $scheme, $eye', ({ scheme, eye }) => {
    const seen = outcomes.map((name) => lab(apply(eyes[eye]!, linear(colourOf(name, scheme as 'light')))));
    const near = outcomes.flatMap((name, index) =>
      outcomes.slice(index + 1).flatMap((other, offset) => {
        const [a, b] = [seen[index]!, seen[index + 1 + offset]!];
        const difference = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        return difference < differenceMin ? [`${name}, ${other}: ${difference.toFixed(1)}`] : [];
      }),
    );
    expect(near).toEqual([]);
  });
});
