import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lint } from './lint'
import { documentFile, documentText } from './text'

/** `npm run openapi`: writes `docs/openapi.json`, says what is in it and what the validator finds. */
const { text, paths, operations } = documentText()
mkdirSync(dirname(documentFile), { recursive: true })
writeFileSync(documentFile, text)
const { isValid, findings } = await lint(documentFile)
console.log(
  `docs/openapi.json: OpenAPI 3.1, ${paths} paths, ${operations} operations, ${isValid ? 'valid' : 'NOT valid'}`,
)
if (!isValid) console.error(findings)
process.exitCode = isValid ? 0 : 1
