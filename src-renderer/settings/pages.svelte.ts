/** The sections of Settings, in the order of their list. */
export const sectionNames = ['till', 'connection', 'store', 'people', 'scanners', 'rules', 'security', 'data'] as const
export type SectionName = (typeof sectionNames)[number]

type Memory = Pick<Storage, 'getItem' | 'setItem'>
const sectionKey = 'settings-section'

/** The section of Settings in front, as long as the app runs, and what is searched for. */
export class SettingsPages {
  section = $state<SectionName>('till')
  query = $state('')
  /** The tables of single rules are open. */
  isCustomizing = $state(false)
  readonly #memory: Memory | undefined

  constructor(memory?: Memory) {
    this.#memory = memory
    const last = memory?.getItem(sectionKey)
    this.section = sectionNames.find((name) => name === last) ?? 'till'
  }

  open(section: SectionName): void {
    this.section = section
    this.query = ''
    this.#memory?.setItem(sectionKey, section)
  }
}
