import { checkServerAddress } from '../../sources/database-server.ts';

interface PasswordOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets a variable of this process, which those that it starts inherit; undefined removes it. */
  readonly setVariable: (name: string, value: string | undefined) => void;
}

/**
 * The password of a database server that was typed into the page: it is in a variable of this process and nowhere else, for
 * as long as that server is the export. Another server never gets it.
 */
export class DatabasePassword {
  readonly #options: PasswordOptions;
  #set: { readonly server: string; readonly variable: string; readonly before: string | undefined } | undefined;

  constructor(options: PasswordOptions) {
    this.#options = options;
  }

  /** Checks an address. @throws UsageError for one that cannot be used; it does not repeat the address. */
  check(server: string): void {
    checkServerAddress(server, this.#options.env);
  }

  /** Whether a person has typed it. */
  get isTyped(): boolean {
    return this.#set !== undefined;
  }

  /** @throws UsageError for an address that cannot be used. */
  set(server: string, password: string): void {
    this.keepFor([]);
    const variable = checkServerAddress(server, this.#options.env);
    this.#set = { server, variable, before: this.#options.env[variable] };
    this.#options.setVariable(variable, password);
  }

  /** Forgets it, unless its server is one of the exports: then the variable is as it was before. */
  keepFor(exports: readonly string[]): void {
    if (this.#set === undefined || exports.includes(this.#set.server)) return;
    const { variable, before } = this.#set;
    this.#set = undefined;
    this.#options.setVariable(variable, before);
  }
}
