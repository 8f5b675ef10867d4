/** Every letter of every script in ASCII: a table of 550 kB. */
export { default as anyAscii } from 'any-ascii';
