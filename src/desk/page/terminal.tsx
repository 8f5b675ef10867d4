import { useState } from 'preact/hooks';

/** A command that does the same in the terminal, or the next one. */
export function Terminal({ command }: { readonly command: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <p class="terminal">
      <code dir="auto">{command}</code>
      <button type="button" onClick={() => void copy().catch(() => {})}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}

export function InTheTerminal({ commands }: { readonly commands: readonly string[] }) {
  if (commands.length === 0) return null;
  return (
    <details class="in-terminal">
      <summary>Show commands</summary>
      {commands.map((command) => (
        <Terminal key={command} command={command} />
      ))}
    </details>
  );
}
