import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import { eventTable } from '../../src-shared/ipc/contract'
import { createDispatch } from '../ipc/dispatch'
import type { Station } from '../station/station'
import { eventChannel, invokeChannel } from './channels'
import type { Outside } from './hardening'
import { appOrigin } from './protocol'

/**
 * Connects the core to the page of `window`: answers its calls and forwards every event until the window closes. Reloads
 * the page when the profile changes. `outside` records the URLs given to the page.
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
    // The page's data belongs to the old profile. Main reloads it, because a reload by the page itself is a refused
    // navigation.
    if (name === 'app.reopened' && eventTable[name].parse(payload).isOther) page.reload()
    // A crashed page gets no events: it asks for everything again once it is reloaded.
    else if (!page.isCrashed()) page.send(eventChannel, name, payload)
  })

  window.on('closed', () => {
    stop()
    ipcMain.removeHandler(invokeChannel)
  })
}
