import '../require-node.mjs'
import { writeFileSync } from 'node:fs'
import { drawSheet, sheetFile } from './draw'

/** `npm run action-sheet`: writes the sheet that is printed and kept beside the till. */
writeFileSync(sheetFile, drawSheet())
console.log(`${sheetFile}: print it at full size`)
