/** A number that a spreadsheet has shortened: 1.23457E+17. The digits that it stands for are lost. */
export const isShortened = (text: string): boolean => text.includes('E+') && /^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(text);

/** What is said of an id that a spreadsheet has shortened. */
export const shortenedReason = (what: string, text: string): string =>
  `A spreadsheet has shortened the ${what} to "${text}", and its other digits are lost: export it again without opening and saving it there`;
