import { contextBridge, ipcRenderer } from 'electron'
import type { Wire } from '../../src-shared/ipc/client'
import { eventChannel, invokeChannel } from './channels'

/** The only part of Electron that the page can access: two functions, with no access to other channels. */
const subscriptions = new Set<{ event: string; listener: (payload: unknown) => void }>()

const wire: Wire = {
  invoke: (call, input) => ipcRenderer.invoke(invokeChannel, call, input),
  subscribe(event, listener) {
    const subscription = { event, listener }
    subscriptions.add(subscription)
    return () => void subscriptions.delete(subscription)
  },
}

// Electron's event isn't passed on, because a page could use it to answer on any channel.
ipcRenderer.on(eventChannel, (_event, name: unknown, payload: unknown) => {
  for (const { event, listener } of [...subscriptions]) if (event === name) listener(payload)
})

contextBridge.exposeInMainWorld('countertag', wire)
