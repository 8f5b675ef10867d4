import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Browsers that were let in, for a program that takes the place of this one. */
export interface LetIn {
  readonly cookieName: string;
  /** SHA-256 of their cookies, in hex. */
  readonly sessions: readonly string[];
}

/** Whom the viewer answers: each link lets in one browser, which keeps a cookie until it is closed. */
export class Admission {
  /** Browsers send a cookie to every port of a host: each viewer has a name of its own. */
  readonly cookieName: string;
  readonly #sessions: Set<string>;
  readonly #used = new Set<string>();
  #secret = newSecret();

  constructor(
    { cookieName, sessions }: LetIn = { cookieName: `chatferry_${randomBytes(4).toString('hex')}`, sessions: [] },
  ) {
    this.cookieName = cookieName;
    this.#sessions = new Set(sessions);
  }

  get letIn(): LetIn {
    return { cookieName: this.cookieName, sessions: [...this.#sessions] };
  }

  /** Secret of the link that has not been used yet. */
  get secret(): string {
    return this.#secret;
  }

  /** Whether the browser with these cookies was let in. */
  knows(cookies = ''): boolean {
    const given = readCookie(cookies, this.cookieName);
    return given !== '' && this.#sessions.has(digestOf(given));
  }

  /** Whether the link with this secret let a browser in before. */
  wasUsed(given: string): boolean {
    return this.#used.has(digestOf(given));
  }

  /** Uses up the link. @returns The value of the browser's cookie; undefined if the secret is not that of the link. */
  admit(given: string): string | undefined {
    if (!isSame(given, this.#secret)) return undefined;
    const session = newSecret();
    this.#sessions.add(digestOf(session));
    this.#used.add(digestOf(given));
    this.#secret = newSecret();
    return session;
  }
}

const newSecret = (): string => randomBytes(20).toString('hex');

const digestOf = (text: string): string => hash('sha256', text);

const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));

const readCookie = (header: string, name: string): string =>
  header
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1] ?? '';
