import type { JoinCode } from '../../src-shared/ipc/contract/join'

/** Hands a secret text to a person without the page: through the clipboard, or as a file that the browser downloads once. */
export interface SecretOutlet {
  readonly kind: NonNullable<JoinCode['textTo']>
  /** `lastsMs`: how long the text is of use; afterwards it is taken back where that is possible. */
  give(text: string, lastsMs: number): Promise<void>
}
