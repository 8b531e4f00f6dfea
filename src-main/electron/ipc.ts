import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import { eventTable } from '../../src-shared/ipc/contract'
import { createDispatch } from '../ipc/dispatch'
import type { Station } from '../station/station'
import { eventChannel, invokeChannel } from './channels'
import type { Outside } from './hardening'
import { appOrigin } from './protocol'

/**
 * Joins the core to the page of `window`: its calls are answered, and every event is handed on until it closes. With
 * another profile it is loaded anew. `outside` learns which addresses the page was given.
 */
export function connect(station: Station, window: BrowserWindow, outside: Pick<Outside, 'answered'>): void {
  const page = window.webContents
  const dispatch = createDispatch<IpcMainInvokeEvent>({
    station,
    isTrusted: ({ sender, senderFrame }) =>
      sender.id === page.id && senderFrame?.parent === null && senderFrame.origin === appOrigin,
  })

  ipcMain.handle(invokeChannel, async (event, call: unknown, input: unknown) => {
    const answer = await dispatch(event, call, input)
    outside.answered(call, answer)
    return answer
  })
  const stop = station.events.listen((name, payload) => {
    // What a page of another profile knows is worth nothing, and its own reload is a navigation: refused as any other.
    if (name === 'app.reopened' && eventTable[name].parse(payload).isOther) page.reload()
    // A page whose process is gone is told nothing: it asks for everything once it is loaded again.
    else if (!page.isCrashed()) page.send(eventChannel, name, payload)
  })

  window.on('closed', () => {
    stop()
    ipcMain.removeHandler(invokeChannel)
  })
}
