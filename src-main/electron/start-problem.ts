import { BrowserWindow, app, dialog } from 'electron'
import { startProblemOf, writeStartReport } from '../support/start-problem'
import { showProblem } from './window'

/**
 * Shows the person why Countertag can't start, in a separate window; the app exits with code 1 once it is closed. If no
 * window can be opened, uses Electron's error box. Waits until Electron is ready.
 */
export async function showStartProblem(cause: unknown, dataDir: string): Promise<void> {
  const reportFile = writeStartReport(cause, { dataDir, version: app.getVersion() })
  const problem = startProblemOf(cause, { dataDir, reportFile })
  try {
    await app.whenReady()
    const window = new BrowserWindow({
      width: 1024,
      height: 768,
      title: 'Countertag',
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        javascript: false,
        devTools: false,
        spellcheck: false,
      },
    })
    window.on('closed', () => {
      app.exit(1)
    })
    await showProblem(window, problem)
  } catch (noWindow) {
    process.stderr.write(`${String(noWindow)}\n`)
    dialog.showErrorBox('Countertag cannot start', `${problem.sentence}\n\n${dataDir}`)
    app.exit(1)
  }
}
