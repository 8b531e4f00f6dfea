export function tooOld(facts: { version: string; hasOwnNode: boolean; command: string }): string | undefined
export function npmCommand(scripts: Record<string, string>, path: string): string
export function requireNode(): void
