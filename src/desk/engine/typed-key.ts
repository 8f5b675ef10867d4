import { keyVariable } from '../../config/api-key.ts';

interface TypedKeyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets a variable of this process, which those that it starts inherit; undefined removes it. */
  readonly setVariable: (name: string, value: string | undefined) => void;
  /** Called when there is a key, or none any more. */
  readonly onChange: () => void;
}

/**
 * The API key that was typed into the page: it is in a variable of this process and nowhere else, for as long as its address is the
 * destination. Another address never gets it.
 */
export class TypedKey {
  readonly #options: TypedKeyOptions;
  #set: { readonly address: string; readonly before: string | undefined } | undefined;

  constructor(options: TypedKeyOptions) {
    this.#options = options;
  }

  get isSet(): boolean {
    return this.#set !== undefined;
  }

  set(address: string, key: string): void {
    this.forget();
    this.#set = { address, before: this.#options.env[keyVariable] };
    this.#options.setVariable(keyVariable, key);
    this.#options.onChange();
  }

  /** Forgets it, unless this is its address: then the variable is as it was before. */
  keepFor(address: string): void {
    if (this.#set?.address !== address) this.forget();
  }

  forget(): void {
    if (this.#set === undefined) return;
    this.#options.setVariable(keyVariable, this.#set.before);
    this.#set = undefined;
    this.#options.onChange();
  }
}
