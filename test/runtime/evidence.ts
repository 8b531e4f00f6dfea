import { cpSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page, TestInfo } from '@playwright/test'

/** Saves a screenshot of the window with the results of the run, which the workflow uploads. */
export async function keepPicture(page: Page, name: string, info: TestInfo): Promise<void> {
  await page.screenshot({ path: info.outputPath(`${name}.png`) })
}

/** The same for every log in that data folder. Called once, because the folder may be gone afterwards. */
export function keepLogs(dataDir: string, info: TestInfo): void {
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    if (/\.log(\.\d+)?$/.test(name)) cpSync(join(dataDir, name), info.outputPath('logs', basename(name)))
  }
}
