import type { IpcMain, WebFrameMain } from 'electron'

/** A frame as main sees it: the properties to check before trusting it. */
export interface FakeFrame extends Pick<WebFrameMain, 'origin' | 'url'> {
  parent: FakeFrame | null
}

type Handler = (event: { sender: { id: number }; senderFrame: FakeFrame | null }, ...args: unknown[]) => unknown

/** `ipcMain`, for calls with an answer only: one handler per channel, arguments and answer cloned. */
export class FakeIpcMain implements Pick<IpcMain, 'removeHandler'> {
  #handlers = new Map<string, Handler>()

  get channels(): string[] {
    return [...this.#handlers.keys()]
  }

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.#handlers.set(channel, handler)
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  /** Knob: a frame of the web contents with that id calls. */
  async deliver(senderId: number, senderFrame: FakeFrame | null, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel)
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      return structuredClone(await handler({ sender: { id: senderId }, senderFrame }, ...structuredClone(args)))
    } catch (cause) {
      throw new Error(`Error invoking remote method '${channel}': ${String(cause)}`, { cause })
    }
  }
}
