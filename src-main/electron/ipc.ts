import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { App } from '../compose'
import { createDispatch } from '../ipc/dispatch'
import { eventChannel, invokeChannel } from './channels'
import { appOrigin } from './protocol'

/** Joins the core to the page of `window`: its calls are answered, and every event is handed on until it closes. */
export function connect({ handlers, events, log }: App, window: BrowserWindow): void {
  const page = window.webContents
  const dispatch = createDispatch<IpcMainInvokeEvent>({
    handlers,
    log,
    isTrusted: ({ sender, senderFrame }) =>
      sender.id === page.id && senderFrame?.parent === null && senderFrame.origin === appOrigin,
  })

  ipcMain.handle(invokeChannel, (event, call: unknown, input: unknown) => dispatch(event, call, input))
  const stop = events.listen((name, payload) => {
    page.send(eventChannel, name, payload)
  })

  window.on('closed', () => {
    stop()
    ipcMain.removeHandler(invokeChannel)
  })
}
