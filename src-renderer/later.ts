import { later } from './text/en/later'
import { addEnglish } from './text/text.svelte'

addEnglish(later)

/** What the first paint doesn't show, loaded in one piece as soon as scans are read. */
export { default as CheckoutScreen } from './checkout/CheckoutScreen.svelte'
export { default as FindScreen } from './find/FindScreen.svelte'
export { default as OrdersScreen } from './orders/OrdersScreen.svelte'
export { default as OutboxScreen } from './outbox/OutboxScreen.svelte'
export { default as PracticeDrawer } from './practice/PracticeDrawer.svelte'
export { default as CountPane } from './receiving/count/CountPane.svelte'
export { default as FinishedPage } from './receiving/record/FinishedPage.svelte'
export { default as FinishPage } from './receiving/record/FinishPage.svelte'
export { default as HistoryView } from './receiving/history/HistoryView.svelte'
export { default as ManifestPane } from './receiving/manifest/ManifestPane.svelte'
export { default as ReceivingDialogs } from './receiving/ReceivingDialogs.svelte'
export { default as SettingsScreen } from './settings/SettingsScreen.svelte'
export { default as HelpSheet } from './shell/HelpSheet.svelte'
export { default as StockScreen } from './stock/StockScreen.svelte'
export { default as StoreScreen } from './store/StoreScreen.svelte'
export { default as UpdateDialog } from './update/UpdateDialog.svelte'
export { default as WarningsDrawer } from './warnings/WarningsDrawer.svelte'
