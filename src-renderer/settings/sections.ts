import type { Component } from 'svelte'
import { Gate } from '../../src-shared/gates'
import { VerdictRule } from '../../src-shared/verdict'
import type { App } from '../app.svelte'
import { ruleKey } from '../checkout/verdict-text'
import GatesCard from '../security/GatesCard.svelte'
import SecurityCard from '../security/SecurityCard.svelte'
import JournalCard from '../journal/JournalCard.svelte'
import PeopleCard from '../people/PeopleCard.svelte'
import PeopleRulesCard from '../people/PeopleRulesCard.svelte'
import AboutCard from '../support/AboutCard.svelte'
import CustomerCard from '../support/CustomerCard.svelte'
import type { MessageKey } from '../text/en'
import BackupCard from './BackupCard.svelte'
import BudtendersCard from './BudtendersCard.svelte'
import LanguageCard from './LanguageCard.svelte'
import LimitsCard from './LimitsCard.svelte'
import type { SectionName } from './pages.svelte'
import PrefixesCard from './PrefixesCard.svelte'
import ProfilesCard from './profiles/ProfilesCard.svelte'
import PresetsCard from './PresetsCard.svelte'
import RulesCard from './RulesCard.svelte'
import ScannersCard from './ScannersCard.svelte'
import SoundCard from './SoundCard.svelte'
import HostCard from './store/HostCard.svelte'
import StoreCard from './store/StoreCard.svelte'
import ThemeCard from './ThemeCard.svelte'
import TillCard from './TillCard.svelte'
import WedgeCard from './WedgeCard.svelte'

/** A card of a section, and the words by which the search finds it and the settings on it. */
export interface SettingsCard {
  id: string
  component: Component<{ app: App }>
  title: MessageKey
  /** Texts of the card and other words for it. */
  words: MessageKey[]
  settings?: { label: MessageKey; hint?: MessageKey }[]
  /** Behind "Customize": single rules. */
  isCustom?: boolean
  /** False if the card has nothing to show on this station. */
  isShown?: (app: App) => boolean
}

export const sections: Record<SectionName, SettingsCard[]> = {
  till: [
    { id: 'language', component: LanguageCard, title: 'settings.language', words: ['settings.words.language'] },
    { id: 'theme', component: ThemeCard, title: 'settings.theme', words: ['settings.words.theme'] },
    {
      id: 'till',
      component: TillCard,
      title: 'settings.till',
      words: ['settings.till.keys', 'settings.words.till'],
      settings: [
        { label: 'settings.till.kiosk', hint: 'settings.till.kiosk.hint' },
        { label: 'settings.till.start', hint: 'settings.words.start' },
      ],
      isShown: ({ till }) => till.view !== null,
    },
  ],
  connection: [
    {
      id: 'connections',
      component: ProfilesCard,
      title: 'profiles.title',
      words: ['profiles.how', 'profile-test.clock', 'settings.words.connections'],
      settings: [{ label: 'profiles.add', hint: 'settings.words.connections' }],
    },
  ],
  store: [
    {
      id: 'store',
      component: StoreCard,
      title: 'label.store-hub',
      words: ['join.alone', 'join.needs', 'settings.words.store'],
    },
    {
      id: 'keep',
      component: HostCard,
      title: 'hosting.title',
      words: ['hosting.what', 'settings.words.store'],
      isShown: ({ hosting }) => hosting.view === null || hosting.isOffered,
    },
  ],
  people: [
    {
      id: 'people',
      component: PeopleCard,
      title: 'people.title',
      words: ['people.none', 'settings.words.people'],
      settings: [{ label: 'people.add' }],
    },
    {
      id: 'people-rules',
      component: PeopleRulesCard,
      title: 'people.rules',
      words: ['people.rules.required', 'settings.words.people'],
      settings: [{ label: 'people.rules.minutes' }, { label: 'people.rules.stays' }],
      isShown: ({ people }) => people.isOn,
    },
    {
      id: 'budtenders',
      component: BudtendersCard,
      title: 'settings.checkout.budtenders',
      words: ['meaning.kind.badge', 'settings.words.budtenders'],
    },
  ],
  scanners: [
    {
      id: 'scanners',
      component: ScannersCard,
      title: 'scanners.title',
      words: ['settings.words.scanners'],
      settings: [{ label: 'recent.title' }],
    },
    {
      id: 'wedge',
      component: WedgeCard,
      title: 'wedge.title',
      words: ['wedge.reading', 'settings.words.wedge'],
      settings: [
        { label: 'wedge.prefix', hint: 'wedge.prefix.hint' },
        { label: 'test.title' },
        { label: 'wedge.print' },
      ],
    },
    {
      id: 'prefixes',
      component: PrefixesCard,
      title: 'prefixes.title',
      words: ['prefixes.how'],
      settings: [{ label: 'prefixes.order' }, { label: 'prefixes.badge' }],
    },
    {
      id: 'sound',
      component: SoundCard,
      title: 'sound.title',
      words: ['settings.words.sound'],
      settings: [{ label: 'sound.volume' }, { label: 'scan.mute' }],
    },
  ],
  rules: [
    {
      id: 'presets',
      component: PresetsCard,
      title: 'rules.title',
      words: ['rules.strict', 'rules.usual', 'rules.relaxed', 'rules.customize'],
    },
    {
      id: 'rules',
      isCustom: true,
      component: RulesCard,
      title: 'nav.checkout',
      words: ['settings.words.rules'],
      settings: [
        { label: 'settings.checkout.unchecked', hint: 'settings.checkout.unchecked.hint' },
        { label: 'settings.checkout.budtender' },
        ...VerdictRule.options.map((rule) => ({ label: ruleKey(rule) })),
      ],
    },
    {
      id: 'gates',
      isCustom: true,
      component: GatesCard,
      title: 'gates.title',
      words: ['gates.hint'],
      settings: Gate.options.map((gate) => ({ label: `gates.${gate}` as const })),
    },
    {
      id: 'limits',
      component: LimitsCard,
      title: 'settings.limits',
      words: ['settings.limits.how'],
      settings: [{ label: 'settings.limits.count' }, { label: 'settings.limits.hours' }],
    },
  ],
  security: [
    {
      id: 'security',
      component: SecurityCard,
      title: 'security.title',
      words: ['security.how', 'settings.words.security'],
      settings: [{ label: 'security.auto-lock.minutes' }],
    },
  ],
  data: [
    {
      id: 'data',
      component: BackupCard,
      title: 'settings.data',
      words: ['settings.backup', 'settings.words.backup'],
      settings: [{ label: 'settings.backup.now' }],
    },
    {
      id: 'journal',
      component: JournalCard,
      title: 'journal.title',
      words: ['journal.how', 'settings.words.journal'],
      settings: [{ label: 'journal.open' }],
    },
    {
      id: 'customer',
      component: CustomerCard,
      title: 'support.customer',
      words: ['support.customer.how', 'settings.words.customer'],
    },
    {
      id: 'about',
      component: AboutCard,
      title: 'settings.about',
      words: ['settings.version', 'label.database', 'support.log', 'settings.words.about'],
      settings: [
        { label: 'support.diagnostics', hint: 'support.diagnostics.how' },
        { label: 'support.licences', hint: 'support.licences.how' },
      ],
    },
  ],
}
