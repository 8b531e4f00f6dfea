import { contextBridge, ipcRenderer } from 'electron'
import type { Wire } from '../../src-shared/ipc/client'
import { eventChannel, invokeChannel } from './channels'

/** The whole of what the page gets of Electron: two functions, and nothing that reaches another channel. */
const subscriptions = new Set<{ event: string; listener: (payload: unknown) => void }>()

const wire: Wire = {
  invoke: (call, input) => ipcRenderer.invoke(invokeChannel, call, input),
  subscribe(event, listener) {
    const subscription = { event, listener }
    subscriptions.add(subscription)
    return () => void subscriptions.delete(subscription)
  },
}

// The first argument is Electron's event, with which a page could answer on any channel: it stays here.
ipcRenderer.on(eventChannel, (_event, name: unknown, payload: unknown) => {
  for (const { event, listener } of [...subscriptions]) if (event === name) listener(payload)
})

contextBridge.exposeInMainWorld('countertag', wire)
