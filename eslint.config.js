import { defineConfig } from 'eslint/config'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import { importX } from 'eslint-plugin-import-x'
import regexp from 'eslint-plugin-regexp'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

/** Imports go one way (ARCHITECTURE.md, "The layers"). Each zone says who may not import what, and why. */
const layers = [
  {
    target: './src-shared',
    from: ['./src-main', './src-renderer', './src-practice', './test'],
    message: 'src-shared is the bottom layer: every side uses it, and it imports no side.',
  },
  {
    target: './src-renderer',
    from: ['./src-main', './src-practice', './test'],
    message: 'The renderer knows src-shared only: it talks to main through src-shared/ipc/client.ts.',
  },
  {
    target: './src-practice',
    from: ['./src-main', './src-renderer', './test'],
    message: 'The practice service stands alone: it is what we test against, so it shares only the wire schemas.',
  },
  {
    target: './src-main',
    from: ['./src-renderer', './test'],
    message: 'Main never imports the renderer.',
  },
  {
    target: './src-main/sqlite-pages',
    from: ['./src-shared/**', './src-main/!(sqlite-pages)/**'],
    message: 'src-main/sqlite-pages knows nothing of the app: it could be a package of its own.',
  },
  {
    target: './src-main/!(practice)/**',
    from: ['./src-practice'],
    message: 'Only src-main/practice embeds the practice service.',
  },
  {
    target: './src-main/!(electron|browser)/**',
    from: ['./src-main/electron', './src-main/browser'],
    message: 'The core does not know its hosts.',
  },
  {
    target: './src-main/!(electron|browser|station|app)/**',
    from: ['./src-main/app', './src-main/station/station.ts'],
    message: 'A station builds its core, and hosts build a station: nothing else starts either.',
  },
  {
    target: './src-main/app/!(compose).ts',
    from: ['./src-main/app/compose.ts', './src-main/station/station.ts'],
    message: 'What compose.ts joins the core from does not know it.',
  },
  {
    target: './src-main/{electron,browser,station}/**',
    from: ['./src-main/app'],
    except: ['./compose.ts'],
    message: 'Only compose.ts joins the core.',
  },
]

/** Texts of the screens stand in text/, in every language. What is printed on a key has none. */
const words = String.raw`/^(?!\s*Esc\s*$).*\p{L}/su`
const shownAttributes =
  '/^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label|hint|text|legend|how)$/'
const shown = `SvelteAttribute[key.name=${shownAttributes}]`
const inText = ':not(SvelteAttribute, SvelteStyleDirective) > SvelteMustacheTag'
const textsInMessages = [
  `:not(SvelteStyleElement, SvelteScriptElement) > SvelteText[value=${words}]`,
  `${shown} > SvelteLiteral[value=${words}]`,
  ...[inText, `${shown} > SvelteMustacheTag`].flatMap((tag) => [
    `${tag} > Literal[value=${words}]`,
    `${tag} > ConditionalExpression > Literal[value=${words}]`,
    `${tag} > LogicalExpression > Literal[value=${words}]`,
    `${tag} > TemplateLiteral > TemplateElement[value.raw=${words}]`,
  ]),
].map((selector) => ({ selector, message: 'Texts stand in src-renderer/text, in every language: t(key).' }))

/** Svelte writes whatever is in braces, and its compiler doesn't look at the type. */
const unwritten = {
  selector: `${inText} > CallExpression[callee.name=/^(moment|exactMoment|since|span|shortSpan|ago|more)$/]`,
  message: 'This is a Text, which would be shown as [object Object]: say(…).',
}

/** Private words that were replaced, and the standard ones: a term has one meaning. */
const replaced = [
  [
    'tellDue|tellAll|tellStanding|tellEntries|tellAgain|tellBeginning|markTold|isUntold|isToldOf',
    'push, pending, synced',
  ],
  ['isLevel|wasLevel|levelEnd', 'isInSync'],
  ['noteDue|noteAllDue|dropDue|selectDue(Keys)?|countDue|forgetDue', 'dirty'],
  ['inTurns', 'slice'],
  ['breathe|breath|Breathe|createBreath', 'yieldNow'],
  ['grounds', 'inputsVersion'],
  ['LineParts|asksLine|workLine', 'interactive or background connection'],
  ['HubWords|createWords', 'settings'],
  ['StoreBoard|StationOnBoard|StationSays|createBoard', 'presence, heartbeat'],
  [
    'keeper|Keeper|Keeping|createKeeper|createKeeping|Kept(Store|Server|Hub|Passwords)|Keep(View|State|Options|Reason|Failure)',
    'host, hosted',
  ],
  ['isApart|isTogether', 'isOffline, isOnline'],
  ['createTogether', 'group commit'],
  ['isStranger|strangerFinding|loadStrangers', 'unexpected item'],
  ['seenTag|seenPackage|SeenProduct|SeenPackaged|rememberedEntr(y|ies)', 'cached'],
  ['createRenewing|Renewing|Renewed', 'reevaluate'],
  ['storeMark|storeMarkOf', 'storeHash'],
  ['(Day|Store|List)Standing|standingOf|standingText', 'status'],
  ['(Count|Shelf|Join|Tag)Finding|createFinding(Rows)?|findingOutcome', 'difference, evidence or result'],
  ['Permit|permit', 'approval'],
].map(([words, then]) => ({ selector: `Identifier[name=/^(${words})$/]`, message: `The term is: ${then}.` }))

/** Names of types that say nothing about which: CountRow, not Row. */
const generic = {
  selector: [
    ':is(Program, SvelteScriptElement, ExportNamedDeclaration) > :is(TSInterfaceDeclaration, TSTypeAliasDeclaration)',
    ':is(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator',
  ]
    .map(
      (node) =>
        `${node}[id.name=/^(Row|Count|Counts|Entry|Found|Line|Stored|Due|Open|Answer|Named|Read|Known|Held|Head|Holder|Step|Body|Kind|OfOrder|Seen|Report|Standing|Finding|Member|Said)$/]`,
    )
    .join(', '),
  message: 'A type has a noun that says which: CountRow, DeliveryLine.',
}

export default defineConfig(
  { ignores: ['out/**', '**/*.mjs', '**/*.js'] },
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  { files: ['**/*.ts'], languageOptions: { parser: ts.parser } },
  ...svelte.configs.recommended,
  { files: ['**/*.ts', '**/*.svelte'], rules: { 'no-restricted-syntax': ['error', ...replaced] } },
  { files: ['src-*/**/*.{ts,svelte}'], rules: { 'no-restricted-syntax': ['error', ...replaced, generic] } },
  {
    files: ['src-*/**/*.{ts,svelte}'],
    plugins: { 'import-x': importX, regexp },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })] },
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'electron', message: 'Only src-main/electron imports electron.' }] },
      ],
      'import-x/no-restricted-paths': ['error', { zones: layers }],
      // What a service or a file says may be long: no pattern takes longer than its text, times a constant.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    files: ['src-shared/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*', 'electron', 'svelte', 'svelte/*'], message: 'src-shared is pure.' }] },
      ],
    },
  },
  { files: ['src-main/electron/**'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser } },
    rules: { 'prefer-const': 'off', 'svelte/no-at-html-tags': 'error', 'svelte/require-each-key': 'error' },
  },
  {
    files: ['src-renderer/**/*.svelte'],
    // The gallery is for those who build the app: its words are names of components.
    ignores: ['src-renderer/gallery/**'],
    rules: { 'no-restricted-syntax': ['error', ...textsInMessages, unwritten, ...replaced, generic] },
  },
)
