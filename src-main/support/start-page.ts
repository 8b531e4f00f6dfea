import { createHash } from 'node:crypto'
import type { StartProblem } from './start-problem'
import { type StartLanguage, startLanguages } from './start-texts'

const style = `
  body { margin: 0; padding: 2rem; font: 1.0625rem/1.5 system-ui, sans-serif; color: #1c2321; background: #f6f7f4 }
  main { max-width: 60rem; margin: 0 auto; display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)) }
  section, dl { background: #fff; border: 1px solid #c9cfca; border-radius: 0.5rem; padding: 1.5rem; margin: 0 }
  h1 { font-size: 1.375rem; margin: 0 0 0.75rem; color: #8f1d14 }
  h2 { font-size: 1.0625rem; margin: 1rem 0 0.25rem }
  p, ol { margin: 0 }
  dl { grid-column: 1 / -1 }
  dt { font-weight: 600 }
  dd { margin: 0 0 0.75rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; user-select: all }
`

/** All languages, because the person's language is unknown here. */
const languages = Object.values(startLanguages)

/** The page may load and run nothing; it has only its text and this style. */
export const startPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

/**
 * The page shown in every language if Countertag can't start. It needs no script and no other file, because those may be
 * missing.
 */
export function startPage(problem: StartProblem): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escaped(startPagePolicy)}">
<meta name="viewport" content="width=device-width">
<title>${escaped(startLanguages.en.problems[problem.code].title ?? startLanguages.en.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${languages.map((language) => section(language, problem)).join('\n')}
<dl>
${places(problem)}
</dl>
</main>
</body>
</html>
`
}

function section({ lang, title, meansTitle, nextTitle, problems }: StartLanguage, { code }: StartProblem): string {
  const { what, means, next, title: ownTitle = title } = problems[code]
  return `<section lang="${lang}">
<h1>${escaped(ownTitle)}</h1>
<p>${escaped(what)}</p>
<h2>${escaped(meansTitle)}</h2>
<p>${escaped(means)}</p>
<h2>${escaped(nextTitle)}</h2>
<ol>${next.map((step) => `<li>${escaped(step)}</li>`).join('')}</ol>
</section>`
}

type PagePart = 'dataDir' | 'reportFile' | 'detail'

function places({ code, sentence, dataDir, reportFile }: StartProblem): string {
  const rows: [PagePart, string][] = [
    ['dataDir', dataDir],
    ...(reportFile === null ? [] : [['reportFile', reportFile] satisfies ['reportFile', string]]),
    ['detail', `${code}: ${sentence}`],
  ]
  return rows
    .map(
      ([name, value]) =>
        `<dt>${languages.map((language) => term(language, name)).join(' · ')}</dt><dd>${escaped(value)}</dd>`,
    )
    .join('\n')
}

/** The page is in English. */
const term = (language: StartLanguage, name: PagePart): string =>
  language.lang === 'en' ? escaped(language[name]) : `<span lang="${language.lang}">${escaped(language[name])}</span>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escaped, because paths contain folder names chosen by people. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? '')
